"""`shakeproof doctor`: what this machine will use, what is missing, and how fast it scores."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

from shakeproof.cli.cache import format_size
from shakeproof.cli.common import Commands, add_cache_option, add_command
from shakeproof.cli.terminal import complain, say, table
from shakeproof.errors import SpecError, one_line

if TYPE_CHECKING:
    from shakeproof.metrics.models.hardware import Device
    from shakeproof.runs.device_bench import DeviceBench
    from shakeproof.runs.doctor import FoundModel, MachineFacts

EXAMPLE = """\
  shakeproof doctor
  shakeproof doctor --bench --device cuda:0     (the first thing to run on a new GPU)
  shakeproof doctor --bench --json > doctor.json     (for a bug report)"""
BROKEN = 1  # exit code
PATIENCE = 2.0  # seconds without output
MAX_HUB_MODELS = 4  # on the screen; --json has all
BENCH_OPTIONS = ("model", "device", "precision")


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "doctor",
        run,
        summary="Show what this machine will use and what is missing; exit code 1 if something is "
        "broken",
        example=EXAMPLE,
    )
    command.add_argument(
        "--bench",
        action="store_true",
        help="score 500 shipped pairs: speed, and the difference from stored scores of a CPU",
    )
    command.add_argument(
        "--model", help="with --bench: this model, if it is here; default: minilm, else byte-mini"
    )
    command.add_argument("--device", help="with --bench: auto (the default), cpu, cuda:1, …")
    command.add_argument(
        "--precision", help="with --bench: auto (the default), float32, tf32, float16, bfloat16"
    )
    add_cache_option(command)
    command.add_argument("--json", action="store_true", help="print JSON instead of a screen")


def run(args: argparse.Namespace) -> int:
    """Print what was found; the exit code is 1 if something is broken or scores are wrong."""
    from shakeproof.runs.doctor import find_facts

    if not args.bench and any(getattr(args, name) for name in BENCH_OPTIONS):
        raise SpecError("--model, --device and --precision belong to --bench; add --bench")
    with patience("importing torch, hashing the weights of models"):
        facts = find_facts(args.cache)
    if not args.json:
        say(without_user(screen(facts)))
    bench, failure = run_bench(args) if args.bench else (None, "")
    if args.json:
        say(without_user(as_json(facts, bench, failure)))
    elif args.bench:
        say(without_user(bench_table(bench) if bench else f"bench failed: {failure}"))
    wrong = bench is not None and bench.deviation is not None and not bench.deviation.is_within
    return BROKEN if facts.broken or failure or wrong else 0


def run_bench(args: argparse.Namespace) -> tuple[DeviceBench | None, str]:
    """Run the benchmark; return its result, or how the device failed."""
    from shakeproof.runs.device_bench import run_bench

    with patience("scoring 500 pairs four times"):
        try:
            return run_bench(args.model, args.device or "auto", args.precision or "auto"), ""
        except RuntimeError as error:  # of torch: no kernel for this device, no memory, …
            return None, one_line(" ".join(str(error).split()))


@contextmanager
def patience(work: str) -> Iterator[None]:
    """Say on standard error what is being done if it takes long."""
    timer = Timer(PATIENCE, complain, [f"… {work}"])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def screen(facts: MachineFacts) -> str:
    """Return everything that was found, in about 20 lines."""
    first, *rows = machine_rows(facts)
    rows += [*file_rows(facts), *problem_rows(facts)]
    return table(first, rows)


def machine_rows(facts: MachineFacts) -> Iterator[tuple[str, str]]:
    """Yield programs, libraries and devices, and what is used of them."""
    versions, torch = facts.versions, facts.torch
    yield "shakeproof", f"{versions.get('shakeproof', '?')} in {facts.package}"
    yield "python", f"{versions['python']} on {facts.platform}"
    yield "pytest", f"{versions.get('pytest', '?')}, {facts.plugin or 'plugin active'}"
    if torch:
        transformers = versions.get("transformers", "not installed")
        build = f" (built for {torch.build})" if torch.build else ""
        yield "torch", f"{torch.version}{build}, transformers {transformers}"
    else:
        yield "torch", "not installed"
    yield "devices", f"{describe_device(facts.cpu)}, {facts.cores} cores"
    for device in torch.accelerators if torch else ():
        yield "", describe_device(device)
    yield "used", describe_use(facts)
    yield "ray", versions.get("ray", "not installed")
    yield "judges", f"aiohttp {versions.get('aiohttp', 'not installed')}"


def describe_device(device: Device) -> str:
    """Name a device with its memory and precision."""
    memory = f", {format_size(device.memory)}" if device.memory else ""
    return f"{device.name}: {device.model}{memory}, {device.precision}"


def describe_use(facts: MachineFacts) -> str:
    """Say where models run by default, and how many workers `auto` starts."""
    models = f"{facts.device} in {facts.precision}" if facts.device else "none: models cannot run"
    return f"{models}; --shakeproof-workers=auto starts {facts.workers}"


def file_rows(facts: MachineFacts) -> Iterator[tuple[str, str]]:
    """Yield models, data and the score cache."""
    label = "models"
    for model in facts.models:
        yield label, describe_model(model)
        label = ""
    yield "", describe_hub(facts)
    found = (f"{data.name} ({data.segments:,} segments)" for data in facts.data if data.segments)
    yield "data", ", ".join(found)
    cache = facts.cache
    access = "writable" if cache.writable else "NOT writable"
    size = f"{format_size(cache.bytes)}, {cache.scores:,} scores" if cache.exists else "none yet"
    yield "cache", f"{cache.path}: {cache.problem or f'{size}, {access}'}"


def describe_model(model: FoundModel) -> str:
    """Say where a model is."""
    if model.folder is None:
        return f"{model.name}: {'unusable' if model.problem else 'not found'}"
    return f"{model.name}: {format_size(model.bytes)} in {model.folder}"


def describe_hub(facts: MachineFacts) -> str:
    """List the largest models of the hub's cache."""
    if facts.hub is None:
        return "Hugging Face cache: its library is not installed"
    models = sorted(facts.hub_models, key=lambda model: -model.bytes)
    names = [f"{model.name} ({format_size(model.bytes)})" for model in models[:MAX_HUB_MODELS]]
    more = [f"{len(models) - MAX_HUB_MODELS} more"] if len(models) > MAX_HUB_MODELS else []
    return f"{facts.hub}: {', '.join([*names, *more]) or 'no models'}"


def problem_rows(facts: MachineFacts) -> Iterator[tuple[str, str]]:
    """Yield what is missing with the command that installs it, and what is broken."""
    for missing in facts.missing:
        yield "missing", f"{missing.name}, {missing.purpose}: {missing.command}"
    if facts.torch and facts.torch.problem and not facts.torch.broken:
        yield "note", facts.torch.problem
    for fault in facts.broken:
        yield "BROKEN", fault
    if not facts.broken:
        yield "result", "nothing is broken"


def bench_table(bench: DeviceBench) -> str:
    """Return speed, share of the matmul rate, and whether the scores are right."""
    from shakeproof.runs.device_bench import PAIRS, PASSES

    speed = bench.speed
    model = f"{bench.model}, layer {bench.layer} of {bench.layers}"
    texts = f"{PAIRS} pairs ({speed.texts} texts, {speed.tokens:,} tokens)"
    times = f"median of {PASSES}; {min(speed.seconds):.3f} to {max(speed.seconds):.3f} s"
    return table(
        ("bench", f"BERTScore on {bench.device} in {bench.precision}: {model}; {texts}"),
        [
            ("speed", f"{speed.pairs_per_second:,.0f} pairs per second ({times})"),
            ("matmul", describe_share(bench)),
            ("scores", describe_deviation(bench)),
        ],
    )


def describe_share(bench: DeviceBench) -> str:
    """Compare the speed of the encoder with that of plain matrix products."""
    rate, share = bench.speed.matmul_rate, bench.speed.share_of_matmul
    if share is None:
        return f"{rate / 1e12:.3g} Tflop/s; the operations of this kind of model are not counted"
    return f"the encoder reaches {share:.0%} of {rate / 1e12:.3g} Tflop/s, of plain matrix products"


def describe_deviation(bench: DeviceBench) -> str:
    """Say whether the scores are right."""
    if bench.deviation is None:
        return "no stored scores for these weights, so nothing to compare with"
    largest, tolerance = bench.deviation.largest, bench.deviation.tolerance
    verdict = "within" if bench.deviation.is_within else "NOT within"
    stored = f"stored CPU scores (torch {bench.deviation.versions['torch']})"
    return f"{verdict} {tolerance:g} of the {stored}: largest deviation {largest:.1e}"


def as_json(facts: MachineFacts, bench: DeviceBench | None, failure: str) -> str:
    """Return the facts and the benchmark as JSON, without texts."""
    content = {**asdict(facts), "bench": None, "bench_failure": failure}
    if bench:
        content["bench"] = asdict(bench)
        content["bench"]["speed"]["share_of_matmul"] = bench.speed.share_of_matmul
        if bench.deviation:
            largest = bench.deviation.largest
            within = {"largest": largest if isfinite(largest) else None}
            within["is_within"] = bench.deviation.is_within
            content["bench"]["deviation"] |= within
    return json.dumps(content, indent=2, default=str)


def without_user(text: str) -> str:
    """Write ~ for the home folder, and USER for its name in other paths."""
    try:
        home = Path.home()
    except RuntimeError:  # this user has none
        return text
    if not home.name:
        return text
    text = re.sub(rf"{re.escape(str(home))}(?![\w.-])", "~", text)
    return re.sub(rf"(?<=/){re.escape(home.name)}(?![\w.-])", "USER", text)
