"""The best settings as files: what a shell, compose and Kubernetes are told."""

import json
import shutil
import subprocess
from pathlib import Path

import jsonschema
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
    (container,) = _containers(files)
    assert container["args"][-2:] == ["--hf-token", "$(HF_TOKEN)"]
    assert list(map(_read, container["args"][:-2])) == ARGS
    names = {each["name"]: each for each in container["env"]}
    assert names["HF_TOKEN"]["valueFrom"]["secretKeyRef"]["key"] == "HF_TOKEN"
    assert _read(names["ODD"]["value"]) == "a b'c $HOME"


@pytest.mark.parametrize("version", ["0.32.0+cpu", None])
def test_an_image_that_cannot_be_known_is_left_to_the_reader(version):
    text = best_files(LAUNCH, version)["compose.yaml"]
    assert "SET-THE-IMAGE" in text
    assert text.startswith("# Set the image")
    assert "vllm/vllm-openai:v0.32.0" in best_files(LAUNCH, "0.32.0")["compose.yaml"]


SCHEMAS = Path(__file__).parents[1] / "data" / "schemas"
HOSTILE = (
    "it's", '"', "a\nb", "$(touch owned)", "`touch owned`", "${HOME}", "$HOME", "$$", "$(HOME)",
    "\\", "; touch owned", "日本語 \U0001f600 \u202e", "#x", "- a", "a: b", "null", "!!python/none",
    "{{x}}", "*", "~", "--x", " ", "\t", "1e3", "0o7", ".5", "yes", "%s",
)  # fmt: skip
HARD = Launch(
    model="org/it's $(touch owned)",
    command=("vllm", "serve"),
    args={f"word-{place}": text for place, text in enumerate(HOSTILE)},
    env={f"ODD_{place}": text for place, text in enumerate(HOSTILE)} | {"API_KEY": "sk-$(x)'"},
)
# A value that begins like an option is joined to its own, or the engine would take it for one.
WORDS = [
    each
    for place, text in enumerate(HOSTILE)
    for each in ([f"--word-{place}={text}"] if text[0] == "-" else [f"--word-{place}", text])
]


def test_a_shell_takes_every_hostile_word_as_it_is_and_runs_none_of_it(tmp_path):
    bash = shutil.which("bash")
    assert bash is not None
    file = tmp_path / "best.sh"
    file.write_text(best_files(HARD, "0.32.0")["best.sh"], encoding="utf-8")
    for shell in (bash, "/bin/sh"):
        checked = subprocess.run([shell, "-n", file], capture_output=True, text=True, check=False)
        assert (checked.returncode, checked.stderr) == (0, "")
    stub = tmp_path / "vllm"
    stub.write_text('#!/bin/sh\nprintf "%s\\0" "$@"\nenv -0\n')
    stub.chmod(0o755)
    ran = subprocess.run(
        ["/bin/sh", file], capture_output=True, check=True, cwd=tmp_path,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin", "API_KEY": "given"},
    )  # fmt: skip
    said = ran.stdout.decode().split("\0")
    assert said[: 2 + len(WORDS)] == ["serve", HARD.model, *WORDS]
    assert {f"ODD_{place}={text}" for place, text in enumerate(HOSTILE)} <= set(said)
    assert "API_KEY=given" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["best.sh", "vllm"]


@pytest.mark.parametrize("launch", [LAUNCH, HARD, Launch(model="a/b")])
@pytest.mark.parametrize("version", ["0.32.0", None])
def test_compose_and_kubernetes_hold_what_their_schemas_ask(launch, version):
    files = best_files(launch, version)
    compose = yaml.safe_load(files["compose.yaml"])
    _schema("compose-spec").validate(compose)
    patch = yaml.safe_load(files["kubernetes-patch.yaml"])
    _schema("kubernetes_deployment").validate(_patched(patch))


@pytest.mark.parametrize(
    ("name", "key"), [("compose-spec", "commands"), ("kubernetes_deployment", "arg")]
)
def test_the_schemas_see_a_key_that_does_not_exist(name, key):
    files = best_files(LAUNCH, "0.32.0")
    compose = yaml.safe_load(files["compose.yaml"])
    patch = yaml.safe_load(files["kubernetes-patch.yaml"])
    compose["services"]["engine"][key] = ["x"]
    patch["spec"]["template"]["spec"]["containers"][0][key] = ["x"]
    tree = compose if name == "compose-spec" else _patched(patch)
    with pytest.raises(jsonschema.ValidationError, match=f"'{key}'"):
        _schema(name).validate(tree)


def test_hostile_words_reach_compose_and_kubernetes_unread():
    files = best_files(HARD, "0.32.0")
    engine = yaml.safe_load(files["compose.yaml"])["services"]["engine"]
    (container,) = _containers(files)
    odd = {f"ODD_{place}": text for place, text in enumerate(HOSTILE)}
    named = {each["name"]: each["value"] for each in container["env"] if "value" in each}
    told = [(engine["command"], engine["environment"]), (container["args"], named)]
    for words, env in told:
        assert list(map(_read, words)) == [HARD.model, *WORDS]
        assert {name: _read(env[name]) for name in odd} == odd


def _read(text):
    """Return what compose and Kubernetes make of a text: `$$` is a dollar, one alone a variable."""
    assert "$" not in text.replace("$$", "")
    return text.replace("$$", "$")


def _containers(files):
    return yaml.safe_load(files["kubernetes-patch.yaml"])["spec"]["template"]["spec"]["containers"]


def _schema(name):
    kind = {
        "compose-spec": jsonschema.Draft201909Validator,
        "kubernetes_deployment": jsonschema.Draft202012Validator,
    }[name]
    return kind(json.loads((SCHEMAS / f"{name}.json").read_text("utf-8")))


def _patched(patch):
    """Return the patch on a Deployment that has what a patch need not say."""
    labels = {"app": "engine"}
    template = patch["spec"]["template"] | {"metadata": {"labels": labels}}
    spec = patch["spec"] | {"selector": {"matchLabels": labels}, "template": template}
    return patch | {"spec": spec}
