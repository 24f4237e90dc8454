"""How close a judge comes to the shortest time that its calls can take.

    python benchmarks/judge_calls.py [--calls 10000] [--latency 0.05] [--concurrency 32]

A scripted server in a process of its own answers after a fixed time; the engine asks it through
`judge` and writes every answer to a cache on disk. The ideal is calls * latency / concurrency.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from servers import serve

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.judges.options import JudgeOptions
from shakeproof.metrics.protocols import Instance, Metric
from shakeproof.metrics.settings import Settings


def measure(metric: Metric, calls: int, file: Path) -> tuple[float, float]:
    """Return the seconds that all calls take, and how many of them this process computes."""
    instances = [
        Instance(f"candidate number {number}", ("a reference",)) for number in range(calls)
    ]
    with Cache(file) as cache:
        engine = Engine(cache)
        start, computed = perf_counter(), process_time()
        errors = engine.fill([(metric, instance)] for instance in instances)
        seconds = perf_counter() - start
        if errors or len(set(engine.read(metric, instances))) != 1:
            raise SystemExit(f"the judge failed: {errors}")
    return seconds, process_time() - computed


def main() -> None:
    """Measure once and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--concurrency", type=int, default=32)
    args = parser.parse_args()
    with serve("server.py", args.latency) as url, TemporaryDirectory() as folder:
        options = JudgeOptions(endpoint=url, model="scripted", concurrency=args.concurrency)
        metric = options.build({}, Settings())
        seconds, computed = measure(metric, args.calls, Path(folder) / "scores.sqlite")
    ideal = args.calls * args.latency / args.concurrency
    print(f"{args.calls:,} calls of {args.latency:g} s, {args.concurrency} at once")
    ratio = f"{seconds / ideal:.2f} times the ideal" if ideal else f"{args.calls / seconds:,.0f}/s"
    print(f"ideal {ideal:.2f} s, took {seconds:.2f} s: {ratio}")
    print(f"of which this process computed {computed:.2f} s")


if __name__ == "__main__":
    main()
