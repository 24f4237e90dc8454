"""Time scoring against other libraries, in one run on one machine.

    python benchmarks/scoring.py ../shared [--segments N] [--only abcdefgh]

Imports and the loading of our model are not timed; the other libraries load their model in each
call, which takes well under a second. Times are wall-clock and, in brackets, processor time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import peers
from measure import (
    Pair,
    Segment,
    Timed,
    bare_pass,
    in_turns,
    operations,
    pairs_of,
    plain_products,
    read_segments,
    show,
    show_ratio,
    timed,
    unique_tokens,
    wmt_kendall,
)

from shakeproof.metrics.bertscore.scorer import BertScoreOptions, BertScorer
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine, MissingScores
from shakeproof.metrics.engine.memory import without_garbage_collection
from shakeproof.metrics.kinds.distance import edit_distance
from shakeproof.metrics.kinds.parascore import ParaScoreOptions
from shakeproof.metrics.models.encoder import load_encoder
from shakeproof.metrics.models.files import ModelFiles, find_model
from shakeproof.metrics.models.runtime import ModelRuntime
from shakeproof.metrics.protocols import Instance, Metric, MetricInput, Vector
from shakeproof.metrics.settings import Settings

SETTINGS = Settings(device="cpu", offline=True)
LAYERS: tuple[int | str, ...] = (1, 6, "mean")  # first, last, and the mean of all scores
SAMPLE = 60  # segments that the slow libraries rate
WARM = 5  # rounds where one takes less than a second
GROWTH = (1, 3, 10)
GROWTH_SEGMENTS = 100
EQUAL = 1e-5


def one_condition(model_files: ModelFiles, segments: Sequence[Segment], rounds: int) -> None:
    """Compare clean scores of the last layer with bert_score and torchmetrics."""
    pairs, few = pairs_of(segments), pairs_of(segments[:SAMPLE])
    print(f"(a) one condition: {len(segments)} segments, {len(pairs)} pairs, last layer, float32")
    scorer = BertScorer(ModelRuntime(model_files, "cpu", "float32"), 6)
    scores, best = in_turns(
        {
            "bert_score 0.3.13": lambda: peers.bert_score(model_files.folder, pairs, 6),
            "shakeproof": lambda: scorer.score(pairs),
        },
        rounds,
    )
    theirs, ours = best.values()
    for name, took in best.items():
        show(name, took)
    show_ratio("against bert_score", theirs, ours, "1.7")
    apart = np.abs(scores["bert_score 0.3.13"] - scores["shakeproof"])
    odd = int((apart > EQUAL).sum())
    print(f"  {odd} scores differ by more than {EQUAL}, at most {apart.max():.1e}: padding that")
    print("  bert_score takes for a match (tests/metrics/bertscore/test_bertscore_parity.py)")
    _, peer = timed(lambda: peers.torchmetrics(model_files.folder, few))
    _, sample = timed(lambda: scorer.score(few))
    show(f"torchmetrics on {len(few)} of the pairs", peer)
    show("shakeproof on the same", sample)
    show_ratio("against torchmetrics", peer, sample)
    reduced_precision(model_files, segments, scores["shakeproof"], ours)


def reduced_precision(
    model_files: ModelFiles, segments: Sequence[Segment], exact: Vector, ours: Timed
) -> None:
    """Time bfloat16, and compare the correlation with that of float32."""
    rough = BertScorer(ModelRuntime(model_files, "cpu", "bfloat16"), 6)
    rough.score([("a", "b")])
    found, took = timed(lambda: rough.score(pairs_of(segments)))
    show("shakeproof in bfloat16, opt-in", took)
    show_ratio("against float32", ours, took)
    before, after = (wmt_kendall(segments, scores) for scores in (exact, found))
    print(f"  wmt-kendall {before:.4f} in float32, {after:.4f} in bfloat16", flush=True)


def overhead(model_files: ModelFiles, segments: Sequence[Segment], rounds: int) -> None:
    """Compare with the bare forward pass, and that pass with plain matrix products."""
    pairs = pairs_of(segments)
    print(f"(b) the bare pass over the unique texts of {len(pairs)} pairs")
    scorer = BertScorer(ModelRuntime(model_files, "cpu", "float32"), 6)
    encoder = load_encoder(model_files, "cpu", "float32")
    tokens = unique_tokens(encoder, pairs)
    count = operations(encoder, tokens)
    _, best = in_turns(
        {
            "everything": lambda: scorer.score(pairs),
            "bare pass": lambda: bare_pass(encoder, tokens),
            "as many operations in plain products": lambda: plain_products(count),
        },
        rounds,
    )
    for name, took in best.items():
        show(name, took)
    whole, bare, plain = best.values()
    rest = 1 - bare.processor / whole.processor
    print(
        f"  time outside the pass: {1 - bare.wall / whole.wall:.1%}, "
        f"{rest:.1%} by processor time (goal 10 %)"
    )
    rate, peak = (count / took.wall / 1e9 for took in (bare, plain))
    print(f"  {rate:.0f} of {peak:.0f} Gflop/s of plain products: {rate / peak:.0%} (goal 75 %)")


def conditions(row: Segment) -> list[tuple[str, ...]]:
    """List the references of a segment: clean, then 5 attacks at 3 levels."""
    attacked = row["perturbed"]["references"]
    return [
        tuple(row["references"]),
        *(tuple(texts) for family in attacked.values() for texts in family.values()),
    ]


def grid(model_files: ModelFiles, segments: Sequence[Segment], folder: Path, rounds: int) -> None:
    """Compare Vu et al.'s grid with bert_score, and with the same again from the cache."""
    metrics = [BertScoreOptions(layer=layer).build({}, SETTINGS) for layer in LAYERS]
    count = len(conditions(segments[0]))
    judged = [preference for row in segments for preference in row["preferences"]]
    print(f"(c) {count} conditions x {len(LAYERS)} layer settings: {len(segments)} segments,")
    print(f"  {len(judged)} judged pairs, with stored attacked references")
    files = (folder / f"scores-{number}.sqlite" for number in range(rounds))
    used: list[Path] = []

    def cold() -> Vector:
        used.append(next(files))
        return run_grid(metrics, segments, used[-1])

    sample = better_pairs(segments, count)
    peers.bert_score(model_files.folder, sample[:1], 1)  # imports are not timed
    works: dict[str, Callable[[], Vector]] = {"shakeproof, into an empty cache": cold}
    for layer, pairs in product(LAYERS, (sample[:1], sample)):
        name = f"bert_score, layer {layer}, pairs {len(pairs)}"
        works[name] = partial(peers.bert_score, model_files.folder, pairs, layer)
    scores, best = in_turns(works, rounds)
    for name, took in best.items():
        show(name, took)
    ours, *calls = best.values()
    theirs = extrapolated(calls, count, len(judged) / len(sample))
    show("bert_score, extrapolated", theirs, f"2 calls x {count} conditions, all judged pairs")
    show_ratio("against bert_score", theirs, ours, "40")
    print(f"(d) the same again from the cache, best of {WARM}")
    found, again = in_turns({"again": lambda: run_grid(metrics, segments, used[0])}, WARM)
    warm, equal = again["again"], np.array_equal(next(iter(scores.values())), found["again"])
    show("shakeproof, from the cache", warm, f"equal scores: {equal}")
    show_ratio("against the cold run", ours, warm, "50")


def run_grid(metrics: Sequence[Metric], segments: Sequence[Segment], path: Path) -> Vector:
    """Rate every condition by every metric as a run does: look scores up, compute the rest."""
    by_segment = instances_of(segments)
    flat = [instance for instances in by_segment for instance in instances]
    with Cache(path) as cache:
        engine = Engine(cache)
        try:
            return np.stack([engine.read(metric, flat) for metric in metrics])
        except MissingScores:
            errors = engine.fill(
                [(metric, instance) for metric in metrics for instance in instances]
                for instances in by_segment
            )
        if errors:
            raise RuntimeError(f"scoring failed: {errors}")
        return np.stack([engine.read(metric, flat) for metric in metrics])


@without_garbage_collection()
def instances_of(segments: Sequence[Segment]) -> list[list[Instance]]:
    """Make an instance of each candidate of a segment under each condition."""
    return [
        [
            Instance(c["text"], references)
            for references in conditions(row)
            for c in row["candidates"]
        ]
        for row in segments
    ]


def better_pairs(segments: Sequence[Segment], count: int) -> list[Pair]:
    """Sample the pairs that one call of bert_score rates: better candidates of some segments.

    Each segment is under the next condition.
    """
    step = max(1, len(segments) // SAMPLE)
    return [
        (row["candidates"][i]["text"], conditions(row)[number % count][0])
        for number, row in enumerate(segments[::step])
        for i, _ in row["preferences"]
    ]


def extrapolated(calls: Sequence[Timed], count: int, times: float) -> Timed:
    """Scale calls with one pair and with the sample, in turns, to two for each condition.

    The time that a call takes besides its pairs, such as for loading the model, counts in each.
    """
    total = Timed(0.0, 0.0)
    for few, many in zip(calls[::2], calls[1::2], strict=True):
        pairs_alone = many + few.times(-1)
        total += few.times(2 * count) + pairs_alone.times(2 * count * times)
    return total


def memory(data: Path) -> None:
    """Measure the peak memory for growing data, each size in a new process."""
    print("(e) peak memory, MiniLM's last layer, scores into a cache on disk")
    script = Path(__file__).with_name("peak_memory.py")
    peaks = []
    for times in GROWTH:
        number = str(GROWTH_SEGMENTS * times)
        command = [sys.executable, str(script), str(data), number]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        peaks.append(int(done.stdout))
        print(f"  {number:>5} segments {peaks[-1] / 1e6:8.0f} MB", flush=True)
    print(f"  growth {peaks[-1] / peaks[0] - 1:.1%} (goal within 20 %)")


def distances(segments: Sequence[Segment]) -> None:
    """Compare the edit distance with nltk's."""
    pairs = pairs_of(segments[:SAMPLE])
    print(f"(f) edit distance of {len(pairs)} pairs")
    expected, theirs = timed(lambda: peers.nltk_distances(pairs))
    found, ours = timed(lambda: [edit_distance(*pair) for pair in pairs])
    show("nltk", theirs)
    show("shakeproof", ours, f"equal: {bool(np.allclose(found, expected))}")
    show_ratio("against nltk", theirs, ours, "100")


def paraphrases(model_files: ModelFiles, data: Path, number: int | None, rounds: int) -> None:
    """Compare ParaScore on Twitter-Para with parascore."""
    instances = [
        Instance(c["text"], tuple(row["references"]), row["source"])
        for row in read_segments(data, number)
        for c in row["candidates"]
    ]
    metric = ParaScoreOptions().build({}, SETTINGS)
    print(f"(g) ParaScore, {len(instances)} candidates of Twitter-Para, last layer")
    peer = peers.ParaScorePeer(model_files.folder)
    scores, best = in_turns(
        {
            "parascore 1.0.5": lambda: peer.rate(instances),
            "shakeproof": lambda: rate(metric, instances),
        },
        rounds,
    )
    for name, took in best.items():
        show(name, took)
    apart = np.abs(scores["parascore 1.0.5"] - scores["shakeproof"])
    show_ratio("against parascore", *best.values())
    print(f"  {int((apart > EQUAL).sum())} scores differ by more than {EQUAL}", flush=True)


def byte_level(model_files: ModelFiles, segments: Sequence[Segment], rounds: int) -> None:
    """Compare byte-mini with MiniLM: smaller, but a token for each byte."""
    pairs = pairs_of(segments)
    print(f"(h) byte-mini and MiniLM: {len(pairs)} pairs, float32")
    models = {
        "MiniLM, last layer": (model_files, 6),
        "MiniLM, first layer": (model_files, 1),
        "byte-mini, last layer": (find_model("byte-mini", offline=True), 3),
    }
    scorers = {
        name: BertScorer(ModelRuntime(model, "cpu", "float32"), layer)
        for name, (model, layer) in models.items()
    }
    for scorer in scorers.values():
        scorer.score(pairs[:1])  # loading is not timed
    works = {name: partial(scorer.score, pairs) for name, scorer in scorers.items()}
    _, best = in_turns(works, rounds)
    for name, took in best.items():
        show(name, took)
    show_ratio("byte-mini against MiniLM's last layer", *(list(best.values())[i] for i in (0, 2)))


def rate(metric: Metric, instances: Sequence[Instance]) -> Vector:
    """Score through the engine, with a cache that starts empty."""
    with Cache() as cache:
        engine = Engine(cache)
        inputs: list[list[MetricInput]] = [[(metric, instance)] for instance in instances]
        engine.fill(inputs)
        return engine.read(metric, instances)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("shared", type=Path, help="the folder that holds data/")
    parser.add_argument("--segments", type=int, default=250, help="take so many segments")
    parser.add_argument("--rounds", type=int, default=2, help="repeat, and keep the best of each")
    parser.add_argument("--only", default="abcdefgh", help="the letters of what to measure")
    arguments = parser.parse_args()
    data = arguments.shared / "data" / "wmt19-gu-en.jsonl"
    segments, rounds = read_segments(data, arguments.segments), arguments.rounds
    model_files = find_model("minilm", offline=True)
    BertScorer(ModelRuntime(model_files, "cpu", "float32"), 6).score(pairs_of(segments[:1]))
    quiet_loading()
    threads = os.environ.get("OMP_NUM_THREADS", "default")
    print(f"{os.cpu_count()} processors, OMP_NUM_THREADS {threads}")
    print(f"best of {rounds} in (a) to (c), (g) and (h)")
    with tempfile.TemporaryDirectory() as folder:
        parts: dict[str, Callable[[], None]] = {
            "a": lambda: one_condition(model_files, segments, rounds),
            "b": lambda: overhead(model_files, segments, rounds),
            "cd": lambda: grid(model_files, segments, Path(folder), rounds),
            "h": lambda: byte_level(model_files, segments, rounds),
            "e": lambda: memory(data),
            "f": lambda: distances(segments),
            "g": lambda: paraphrases(
                model_files, data.with_name("twitter-para.jsonl"), arguments.segments, rounds
            ),
        }
        for letters, part in parts.items():
            if set(letters) & set(arguments.only):
                part()


def quiet_loading() -> None:
    """Switch off the progress bars that loading a model shows."""
    import transformers

    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()


if __name__ == "__main__":
    main()
