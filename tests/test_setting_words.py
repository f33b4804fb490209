"""Settings of an engine in words."""

from tco.setting_words import OWN, settings_words


def test_only_what_differs_is_said_and_no_secret():
    own = {"seqs": 8, "eager": False, "env.HF_TOKEN": None, "env.THREADS": "1"}
    other = {"seqs": 16, "eager": True, "env.HF_TOKEN": "hf_abc", "env.THREADS": None}
    said = settings_words(other, own)
    assert said == "seqs=16, eager=true, HF_TOKEN=***, without THREADS"
    assert settings_words(own, own) == OWN
