"""Makes a tiny model without weights; run by the engine's own Python, which has the libraries.

Usage: python make_tiny_model.py FOLDER [KIND]

KIND is `attention` (the default; Qwen2) or `hybrid` (Nemotron-H: Mamba-2, attention and MLP
layers, and a layer that drafts tokens ahead).

Writes the configuration and a byte-level BPE tokenizer, trained here on a built-in
text, so nothing is downloaded. Serve it with `--load-format dummy`: weights are
random, the text is nonsense, and only token counts and times mean something.
The same libraries give the same bytes.
"""
# ruff: noqa: INP001  a script that another Python runs, no part of a package

import json
import sys
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

VOCABULARY = 512
HIDDEN = 128
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
IDS = {"bos_token_id": 0, "pad_token_id": 0, "eos_token_id": 2}
CHAT_TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
TEXT = """The cost of a token is the cost of an hour divided by the tokens made in it.
A server that sits idle costs the same as one that works; so the rate of use counts most.
Prefill reads the prompt, decode writes the answer, and a batch shares both between users.
def cost(rate, price): return price / (rate * 3600)
0 1 2 3 4 5 6 7 8 9 10 11 12 20 24 32 48 64 96 100 128 256 512 1024 2048 4096
"""
COMMON = {
    "vocab_size": VOCABULARY,
    "hidden_size": HIDDEN,
    "intermediate_size": 4 * HIDDEN,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 32,  # the least that vLLM's CPU attention takes
    "max_position_embeddings": 4096,
    "tie_word_embeddings": False,
    "dtype": "bfloat16",
    **IDS,
}
CONFIGS = {
    "attention": {
        "model_type": "qwen2",
        "architectures": ["Qwen2ForCausalLM"],
        **COMMON,
        "rms_norm_eps": 1e-6,
        "rope_theta": 10000.0,
        "use_sliding_window": False,
        "hidden_act": "silu",
    },
    "hybrid": {
        "model_type": "nemotron_h",
        "architectures": ["NemotronHForCausalLM"],
        **COMMON,
        "hybrid_override_pattern": "M-*-",  # Mamba-2, MLP, attention, MLP
        "layer_norm_epsilon": 1e-5,
        "mlp_hidden_act": "relu2",
        "mamba_num_heads": 8,
        "mamba_head_dim": 32,
        "mamba_hidden_act": "silu",
        "ssm_state_size": 32,
        "n_groups": 1,
        "conv_kernel": 4,
        "chunk_size": 64,
        # One attention layer drafts; vLLM's CPU build has no mixture-of-experts layer for it.
        "num_nextn_predict_layers": 1,
        "mtp_hybrid_override_pattern": "*",
        "mtp_layers_block_type": ["attention"],
    },
}


def trained_tokenizer() -> PreTrainedTokenizerFast:
    """Train the tokenizer; every id up to VOCABULARY stands for a token."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=SPECIAL,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    lines = TEXT.splitlines() * 4 + [str(number) for number in range(10, 1000)]
    tokenizer.train_from_iterator(lines, trainer)
    if tokenizer.get_vocab_size() != VOCABULARY:
        sys.exit(f"the text gives {tokenizer.get_vocab_size()} tokens, not {VOCABULARY}")
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=SPECIAL[2], pad_token=SPECIAL[0]
    )
    fast.chat_template = CHAT_TEMPLATE
    return fast


def main(folder: Path, kind: str = "attention") -> None:
    """Write the model's files, the configuration last."""
    folder.mkdir(parents=True, exist_ok=True)
    trained_tokenizer().save_pretrained(folder)
    for name, tree in (("generation_config.json", IDS), ("config.json", CONFIGS[kind])):
        (folder / name).write_text(json.dumps(tree, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
