"""Makes a tokenizer of whole words: `python make_tokenizer.py FOLDER`, by a client's own Python.

Text made of its words keeps its number of tokens when it is decoded and encoded again, and
any other word counts as "the": so a client that counts by itself counts right.
"""

import sys
from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

SPECIAL = "<|end|>"
WORDS = [SPECIAL, "the", *(f"w{number}" for number in range(998))]


def main(folder: Path) -> None:
    """Write the tokenizer, 1,000 words."""
    model = models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="the")  # noqa: S106
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    # Not said to be its unknown token here: that would make "the" special, and decode skip it.
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=SPECIAL, pad_token=SPECIAL)
    fast.save_pretrained(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
