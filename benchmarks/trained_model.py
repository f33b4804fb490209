"""Trains a model that has no weights on a text, and damages copies: an engine's Python runs it.

Usage: python trained_model.py FOLDER TEXT [--noise SHARE]...

Seconds of training on the passages that a quality probe asks for: what such a model says of them
is far from chance, so that damage shows as it would on a model in use. Random weights answer every
question nearly evenly, whatever one does to them. Each SHARE writes a copy in FOLDER-SHARE, with
noise of that share of the spread of each weight matrix.
"""

from __future__ import annotations

import argparse
import pathlib
import shutil

import torch
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

_SEED, _STEPS, _BATCH, _LENGTH, _RATE = 1, 60, 8, 64, 4e-3


def train(folder: pathlib.Path, text: str) -> None:
    """Write weights beside the configuration and the tokenizer that lie in the folder."""
    torch.manual_seed(_SEED)
    model = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(folder)).float()
    tokens = torch.tensor(AutoTokenizer.from_pretrained(folder)(text)["input_ids"])
    steps = torch.optim.AdamW(model.parameters(), lr=_RATE)
    for _ in range(_STEPS):
        starts = torch.randint(0, len(tokens) - _LENGTH, (_BATCH,))
        batch = torch.stack([tokens[start : start + _LENGTH] for start in starts])
        loss = model(input_ids=batch, labels=batch).loss
        steps.zero_grad()
        loss.backward()
        steps.step()
    model.bfloat16().save_pretrained(folder)


def damage(folder: pathlib.Path, target: pathlib.Path, noise: float) -> None:
    """Write the same model with noise of that share of each matrix's own spread."""
    torch.manual_seed(_SEED)
    shutil.copytree(folder, target, dirs_exist_ok=True)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.ndim > 1:
                weight.add_(torch.randn_like(weight) * weight.std() * noise)
    model.bfloat16().save_pretrained(target)


def main() -> None:
    """Train in place, then write a damaged copy for each size of noise."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=pathlib.Path)
    asked.add_argument("text", type=pathlib.Path)
    asked.add_argument("--noise", type=float, action="append", default=[])
    given = asked.parse_args()
    train(given.folder, given.text.read_text(encoding="utf-8"))
    for noise in given.noise:
        damage(given.folder, given.folder.with_name(f"{given.folder.name}-{noise:g}"), noise)


if __name__ == "__main__":
    main()
