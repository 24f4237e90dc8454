"""Time each family of perturbations: sentences per second of processor time on one core.

    python benchmarks/perturbations_speed.py [--sentences N] [--peers]

`--peers` also times the nearest equivalents in nlpaug and TextAttack, if they are installed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from random import Random
from time import process_time

from shakeproof.perturbations import PERTURBATIONS, Context, Family

SENTENCES = (
    "Frog inside the packet of flour was purchased from the Super Bazaar by 12 men on Monday.",
    "The council does not agree; it will meet again in June, said Anna Brown to Bill Gates.",
    "They believe that all of them must receive it, because it's their favourite colour.",
    "“She said: ‘We bought a huge house near the old road 3 miles away.’” Nobody knew why.",  # noqa: RUF001  # curly quotes are what real texts have
)
CONTEXT = Context(
    source=SENTENCES[0], references=SENTENCES[1:2], neighbour=Context(candidates=SENTENCES[2:3])
)
GOAL = 100_000  # sentences; they should take seconds, not minutes
LEVEL = 0.3
PEER_SENTENCES = 200
Peer = Callable[[str, int], object]


def per_sentence(function: Callable[[str, int], object], sentences: int) -> float:
    """Time a function over sentences, after one call that loads its tables."""
    function(SENTENCES[0], 0)
    start = process_time()
    for number in range(sentences):
        function(SENTENCES[number % len(SENTENCES)], number)
    return (process_time() - start) / sentences


def apply(family: Family, text: str, seed: int) -> str:
    """Perturb one sentence with its own random stream."""
    level = LEVEL if family.takes(LEVEL) else 1
    return family(text, level, Random(f"[{seed}]"), CONTEXT)


def show(name: str, seconds: float) -> None:
    """Print the sentences per second, and the time for as many sentences as the goal names."""
    print(f"{name:36} {1 / seconds:10,.0f} per second  {seconds * GOAL:8.1f} s for {GOAL:,}")


def nlpaug() -> dict[str, Peer]:
    """Build the augmenters of nlpaug that are nearest to our families."""
    import nlpaug.augmenter.char as chars
    import nlpaug.augmenter.word as words

    augmenters = {
        "nlpaug keyboard (keyboard-typo)": chars.KeyboardAug(aug_word_p=LEVEL),
        "nlpaug ocr (scan-error)": chars.OcrAug(aug_word_p=LEVEL),
        "nlpaug swap (swap-letters)": chars.RandomCharAug("swap", aug_word_p=LEVEL),
        "nlpaug delete (drop-word)": words.RandomWordAug(action="delete", aug_p=LEVEL),
    }
    return {name: partial(call, augmenter.augment) for name, augmenter in augmenters.items()}


def textattack() -> dict[str, Peer]:
    """Build the augmenters of TextAttack that are nearest to our families."""
    from textattack import transformations
    from textattack.augmentation import Augmenter

    swaps = {
        "TextAttack qwerty (keyboard-typo)": transformations.WordSwapQWERTY(),
        "TextAttack homoglyph (look-alike)": transformations.WordSwapHomoglyphSwap(),
        "TextAttack swap (swap-letters)": transformations.WordSwapNeighboringCharacterSwap(),
        "TextAttack deletion (drop-word)": transformations.WordDeletion(),
    }
    return {
        name: partial(call, Augmenter(swap, pct_words_to_swap=LEVEL).augment)
        for name, swap in swaps.items()
    }


def call(augment: Callable[[str], object], text: str, seed: int) -> object:
    """Perturb one sentence with another library, which keeps its own random state."""
    return augment(text)


def main() -> None:
    """Time every family, slowest first, then the other libraries."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=5_000)
    parser.add_argument("--peers", action="store_true")
    arguments = parser.parse_args()
    times = {
        name: per_sentence(partial(apply, family), arguments.sentences)
        for name, family in PERTURBATIONS.items()
    }
    for name in sorted(times, key=times.__getitem__, reverse=True):
        show(name, times[name])
    for build in (nlpaug, textattack) if arguments.peers else ():
        try:
            for name, function in build().items():
                show(name, per_sentence(function, PEER_SENTENCES))
        except ImportError as error:
            print(f"{build.__name__} cannot be imported: {error}")


if __name__ == "__main__":
    main()
