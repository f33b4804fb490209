from __future__ import annotations

import socket

import pytest

from tco.measure.engine_http import (
    EngineClient,
    Reply,
    engine_name,
    is_completion,
    is_loopback,
    process_start,
    resolved_settings,
)

METRICS = """# HELP vllm:cache_config_info Information
vllm:cache_config_info{block_size="128",engine="0",cache_dtype="au\\"to"} 1.0
process_start_time_seconds 1.76e+09
"""


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:8000", True),
        ("http://127.8.8.8", True),
        ("http://[::1]:8000/v1", True),
        ("https://localhost", True),
        ("http://127.0.0.1.example", False),
        ("http://127.0.0.1@models.example", False),
        ("http://0.0.0.0:8000", False),
        ("http://192.168.0.2", False),
    ],
)
def test_only_loopback_passes_for_this_machine(url, expected):
    assert is_loopback(url) is expected


def test_settings_and_engine_are_read_from_the_metrics_page():
    assert resolved_settings(METRICS) == {"block_size": "128", "cache_dtype": 'au"to'}
    assert engine_name(METRICS) == "vllm"
    assert process_start(METRICS) == "1.76e+09"
    assert (resolved_settings(""), engine_name(""), process_start("")) == ({}, "unknown", None)


@pytest.mark.parametrize("page", ["vllm:cache_config_info{", "vllm:cache_config_info{a=} x"])
def test_broken_metrics_page_has_no_settings(page):
    assert resolved_settings(page) == {}


@pytest.mark.parametrize(
    ("status", "text", "expected"),
    [
        (200, '{"choices": [{"text": ""}]}', True),
        (200, '{"choices": [], "error": null}', False),
        (200, '{"choices": [1], "error": {"message": "x"}}', False),
        (200, "<html>", False),
        (500, '{"choices": [1]}', False),
        (None, "refused", False),
    ],
)
def test_only_a_real_completion_counts(status, text, expected):
    assert is_completion(Reply(status, text)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"error": {"message": "too long"}}', "HTTP 400: too long"),
        ('{"error": "no"}', "HTTP 400: no"),
        ("no\n luck", "HTTP 400: no luck"),
        ("<p>\n bad</p>", "HTTP 400"),
        ("", "HTTP 400"),
    ],
)
def test_complaint_is_the_servers_own_sentence(text, expected):
    assert Reply(400, text).complaint() == expected


def test_a_server_that_accepts_but_does_not_answer_is_still_there(unused_tcp_port):
    with socket.socket() as server:
        server.bind(("127.0.0.1", unused_tcp_port))
        with EngineClient(f"http://127.0.0.1:{unused_tcp_port}", None) as client:
            assert not client.is_reachable()
            server.listen()
            assert client.is_reachable()
