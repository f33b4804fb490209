"""The best settings as files: what a shell, compose and Kubernetes are told."""

import subprocess

import pytest
import yaml

from tco.scenario import Launch
from tco.tune.best_files import best_files

SPECULATION = '{"method": "mtp", "note": "it\'s $5"}'
LAUNCH = Launch(
    model="org/name",
    args={"speculative-config": SPECULATION, "max-num-seqs": 64, "enforce-eager": True,
          "hf-token": "hf_secret"},
    env={"OMP_NUM_THREADS": "1", "ODD": "a b'c $HOME", "HF_TOKEN": "hf_secret"},
)  # fmt: skip
ARGS = ["org/name", "--speculative-config", SPECULATION, "--max-num-seqs", "64", "--enforce-eager"]


def test_the_shell_file_starts_the_engine_with_exactly_these_words(tmp_path):
    stub = tmp_path / "vllm"
    stub.write_text('#!/bin/sh\nprintf "%s\\n" "$ODD" "$OMP_NUM_THREADS" "$@"\n')
    stub.chmod(0o755)
    (tmp_path / "best.sh").write_text(best_files(LAUNCH, "0.32.0")["best.sh"])
    ran = subprocess.run(
        ["/bin/sh", tmp_path / "best.sh", "--port", "8000"],
        capture_output=True, text=True, check=True,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin", "HF_TOKEN": "given"},
    )  # fmt: skip
    words = ["a b'c $HOME", "1", "serve", *ARGS, "--hf-token", "given", "--port", "8000"]
    assert ran.stdout.splitlines() == words


def test_no_file_holds_a_secret():
    assert not any("hf_secret" in text for text in best_files(LAUNCH, "0.32.0").values())


def test_compose_and_kubernetes_are_told_the_same():
    files = best_files(LAUNCH, "0.32.0")
    engine = yaml.safe_load(files["compose.yaml"])["services"]["engine"]
    assert [each.replace("$$", "$") for each in engine["command"][: len(ARGS)]] == ARGS
    assert engine["command"][len(ARGS) :] == ["--hf-token", "${HF_TOKEN}"]
    assert engine["environment"]["HF_TOKEN"] is None
    patch = yaml.safe_load(files["kubernetes-patch.yaml"])
    (container,) = patch["spec"]["template"]["spec"]["containers"]
    assert container["args"] == [*ARGS, "--hf-token", "$(HF_TOKEN)"]
    names = {each["name"]: each for each in container["env"]}
    assert names["HF_TOKEN"]["valueFrom"]["secretKeyRef"]["key"] == "HF_TOKEN"
    assert names["ODD"]["value"] == "a b'c $HOME"


@pytest.mark.parametrize("version", ["0.32.0+cpu", None])
def test_an_image_that_cannot_be_known_is_left_to_the_reader(version):
    text = best_files(LAUNCH, version)["compose.yaml"]
    assert "SET-THE-IMAGE" in text
    assert text.startswith("# Set the image")
    assert "vllm/vllm-openai:v0.32.0" in best_files(LAUNCH, "0.32.0")["compose.yaml"]
