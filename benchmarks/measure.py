"""Shared by the benchmarks: read the data, time calls, and print times and ratios."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, TypeAlias, TypeVar

from shakeproof.metrics.models.devices import inference
from shakeproof.metrics.models.encoder import Encoder

T = TypeVar("T")
Segment: TypeAlias = dict[str, Any]  # as in the file
Pair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds by the wall clock, and seconds of processor time over all cores."""

    wall: float
    processor: float

    def __str__(self) -> str:
        return f"{self.wall:9.2f} s ({self.processor:.2f} s of processor time)"

    def __add__(self, other: Timed) -> Timed:
        return Timed(self.wall + other.wall, self.processor + other.processor)

    def times(self, factor: float) -> Timed:
        """Scale both times."""
        return Timed(self.wall * factor, self.processor * factor)

    def or_less(self, other: Timed) -> Timed:
        """Return the smaller of each of the two times."""
        return Timed(min(self.wall, other.wall), min(self.processor, other.processor))


def timed(work: Callable[[], T]) -> tuple[T, Timed]:
    """Call a function; return its result and its time."""
    wall, processor = perf_counter(), process_time()
    result = work()
    return result, Timed(perf_counter() - wall, process_time() - processor)


def in_turns(
    works: Mapping[str, Callable[[], Any]], rounds: int
) -> tuple[dict[str, Any], dict[str, Timed]]:
    """Call several functions in turn, and keep the best time of each."""
    results: dict[str, Any] = {}
    best: dict[str, Timed] = {}
    for _ in range(rounds):
        for name, work in works.items():
            results[name], took = timed(work)
            best[name] = took.or_less(best.get(name, took))
    return results, best


def show(step: str, took: Timed, note: str = "") -> None:
    """Print a raw time."""
    print(f"  {step:<38} {took}{f'; {note}' if note else ''}", flush=True)


def show_ratio(comparison: str, theirs: Timed, ours: Timed, goal: str = "") -> None:
    """Print how many times as fast ours is, by the wall clock and by processor time."""
    wall, processor = theirs.wall / ours.wall, theirs.processor / ours.processor
    aim = f" (goal {goal})" if goal else ""
    print(
        f"  {comparison:<38} {wall:9.2f} times as fast, {processor:.2f} by processor time{aim}",
        flush=True,
    )


def read_segments(path: Path, number: int | None = None) -> list[Segment]:
    """Read the segments of a file, or the first `number` of them."""
    lines = path.read_text("utf-8").split("\n")
    return [json.loads(line) for line in lines if line][:number]


def pairs_of(segments: Sequence[Segment]) -> list[Pair]:
    """Pair each candidate with its first reference."""
    return [(c["text"], row["references"][0]) for row in segments for c in row["candidates"]]


def wmt_kendall(segments: Sequence[Segment], scores: Iterable[float], *, tie: float = 0.0) -> float:
    """Compare scores, in the order of `pairs_of`, with the preferences; ties count as wrong."""
    stream = iter(scores)
    right = total = 0
    for row in segments:
        rated = [next(stream) for _ in row["candidates"]]
        right += sum(rated[better] > rated[worse] + tie for better, worse in row["preferences"])
        total += len(row["preferences"])
    return (2 * right - total) / total


def unique_tokens(encoder: Encoder, pairs: Sequence[Pair]) -> list[list[int]]:
    """Tokenize the texts, shortest first; texts with the same tokens count once."""
    unique = {tuple(tokens) for tokens in encoder.tokenize(list(set(chain.from_iterable(pairs))))}
    return [list(tokens) for tokens in sorted(unique, key=lambda tokens: (len(tokens), tokens))]


def bare_pass(encoder: Encoder, tokens: Sequence[list[int]]) -> None:
    """Run only the forward pass of the model over texts."""

    def work(batch: range) -> None:
        encoder._run(tokens[batch.start : batch.stop], every_state=False)

    with inference(encoder.precision):
        encoder.in_batches([len(text) for text in tokens], work)


def operations(encoder: Encoder, tokens: Sequence[list[int]]) -> float:
    """Count the floating-point operations of BERT's matrix products, without any padding."""
    config = encoder.model.config
    width, inner = config.hidden_size, config.intermediate_size
    per_token = 2 * (4 * width * width + 2 * width * inner)
    return float(
        encoder.layer_count * sum(len(t) * per_token + 4 * len(t) ** 2 * width for t in tokens)
    )


def plain_products(count: float) -> None:
    """Do `count` floating-point operations in plain matrix products of the model's size.

    Each thread computes its own products, which is faster than sharing them.
    """
    import torch

    rows, width, inner = 1024, 384, 1536
    threads = torch.get_num_threads()
    share = round(count / threads / (2 * rows * width * inner))

    def products(_: int) -> None:
        left, right = torch.randn(rows, width), torch.randn(width, inner)
        for _ in range(share):
            torch.mm(left, right)

    with ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        list(pool.map(products, range(threads)))
    torch.set_num_threads(threads)
