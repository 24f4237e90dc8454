"""Small made-up files in the layout of the data of Vu et al. 2022, and their study."""

import json
import random

from shakeproof.studies import STUDIES

STUDY = STUDIES["robust-bertscore"]
TO_ENGLISH = ("de-en", "fi-en", "gu-en", "kk-en", "lt-en", "ru-en", "zh-en")
FLORES = ("bn-hi", "hi-bn", "xh-zu", "zu-xh")
ATTACKS = ("visual", "intrude", "disemvowel", "keyboard-typo", "phonetic")
ENGLISH = "the frog sat quietly beside a cold pond until morning came and everyone left"
BENGALI = "ব্যাঙ ঠান্ডা পুকুরের পাশে চুপচাপ বসে ছিল সকাল পর্যন্ত"


def attacked(text, level):
    """The text with the first letters of some words doubled."""
    words = text.split()
    return " ".join(w[0] + w if n < 10 * level else w for n, w in enumerate(words))


def worse(words, by, rng):
    """The text with some words left out."""
    kept = sorted(rng.sample(range(len(words)), len(words) - by))
    return " ".join(words[n] for n in kept)


def wmt19(pair, segments):
    """Segments with preferences and attacked references, as WMT19's are stored."""
    rng = random.Random(pair)
    for number in range(segments):
        words = rng.sample(ENGLISH.split(), 10)
        reference = " ".join(words)
        texts = [worse(words, by, rng) for by in (1, 3, 5)]
        levels = {f"{level}": [attacked(reference, level)] for level in (0.1, 0.2, 0.3)}
        yield {
            "id": f"{number + 1}",
            "source": f"{pair} {number}",
            "references": [reference],
            "candidates": [{"text": text, "systems": [f"s{n}"]} for n, text in enumerate(texts)],
            "preferences": [[0, 1], [0, 2], [1, 2], [0, 2]],
            "perturbed": {"references": dict.fromkeys(ATTACKS, levels)},
        }


def flores(pair, segments):
    """Segments with ratings and stored scores, as WMT21's are stored."""
    rng = random.Random(pair)
    for number in range(segments):
        words = rng.sample((BENGALI if pair == "hi-bn" else ENGLISH).split(), 8)
        reference = " ".join(words)
        candidates = [
            {
                "text": worse(words, by, rng),
                "rating": 90.0 - 30 * by,
                "rating_z": 1.0,
                "systems": [f"s{by}"],
                "scores": {"BERTScore": 1 - by / 10, "chrF": 0.5, "sentBLEU": -by, "BLEURT-20": by},
            }
            for by in range(3)
        ]
        levels = {f"{level}": [attacked(reference, level)] for level in (0.1, 0.2, 0.3, 0.4, 0.5)}
        yield {
            "id": f"{number}",
            "document": "d",
            "source": "s",
            "references": [reference],
            "candidates": candidates,
            "perturbed": {"references": {"visual": levels}},
        }


def write(path, rows):
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8")
