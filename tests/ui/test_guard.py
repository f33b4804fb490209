"""Only our own page, opened by this machine's user, is answered."""

import signal
from urllib.parse import urlsplit

import httpx
import pytest

BODY = "traffic.target_utilisation=0.5"
FORM = {"content-type": "application/x-www-form-urlencoded"}


def asked(address, path="", *, method="GET", body=None, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.request(method, address + path, content=body, headers=FORM | named, timeout=30)


def own(address):
    return f"http://{urlsplit(address).netloc}"


def test_our_own_page_is_answered(address):
    found = asked(address, "answer", method="POST", body=BODY, origin=own(address))
    assert found.status_code == 200
    assert "headline" in found.text


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "[::1]:80"])
def test_another_host_is_refused(address, host):
    assert asked(address, host=host).status_code == 421


def test_localhost_is_this_machine_too(address):
    assert asked(address, host=f"localhost:{urlsplit(address).port}").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"sec_fetch_site": "none"},
    ],
)
def test_another_page_may_not_ask_for_an_answer(address, headers):
    assert asked(address, "answer", method="POST", body=BODY, **headers).status_code == 403


@pytest.mark.parametrize("path", ["scenario.yaml", "report.pdf", "page.js"])
@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors"},
        {
            "sec_fetch_site": "cross-site",
            "sec_fetch_mode": "navigate",
            "sec_fetch_dest": "document",
        },
    ],
)
def test_another_page_may_not_fetch_what_we_serve(address, path, headers):
    assert asked(address, path, **headers).status_code == 403


def test_a_link_to_the_page_may_be_followed_from_anywhere_but_not_framed(address):
    link = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}
    opened = asked(address, sec_fetch_dest="document", **link)
    assert opened.status_code == 200
    assert "frame-ancestors 'none'" in opened.headers["content-security-policy"]
    assert asked(address, sec_fetch_dest="iframe", **link).status_code == 403


def test_without_its_secret_nothing_is_answered(address):
    for path in ("/", "/page.css", "/wrong/", "/%ff/answer"):
        assert httpx.get(own(address) + path).status_code == 403


def test_a_large_body_is_refused_whether_it_says_its_length_or_not(address):
    large = b"x" * (1 << 20)
    for body in (large, iter([large])):
        found = asked(address, "answer", method="POST", body=body, origin=own(address))
        assert found.status_code == 413


@pytest.mark.parametrize(
    "key",
    [
        "traffic.shape.trace",
        "traffic.bill.files",
        "engine.launch.command.0",
        "hardware.catalog",
        "bench.meter.wall_csv",
        "name",
    ],
)
def test_no_key_that_names_a_file_or_command_can_be_set(address, key):
    found = asked(address, "answer", method="POST", body=f"{key}=1", origin=own(address))
    assert found.status_code == 422
    assert "cannot be changed on this page" in found.json()["message"]
    assert asked(address, f"scenario.yaml?{key}=1").status_code == 422


@pytest.mark.parametrize("text", ["", "half", "{value: 1}", "[1]", "1; rm", "0,5", "9" * 41, "nan"])
def test_only_a_plain_number_is_taken(address, text):
    query = httpx.QueryParams({"power.pue": text})
    found = asked(address, "answer", method="POST", body=str(query), origin=own(address))
    assert found.status_code == 422
    assert found.json()["key"] == "power.pue"
    assert "must be a number" in found.json()["message"]


def test_it_is_not_reached_but_from_this_machine_and_ends_quietly_by_ctrl_c(serve, scenario):
    with serve(scenario) as (process, address):
        assert urlsplit(address).hostname == "127.0.0.1"
        assert httpx.get(address).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
        assert process.stdout.read() == b""
        assert process.stderr.read() == b"Ctrl-C ends it.\n"


def test_a_port_that_is_taken_is_named(serve, scenario, address):
    with serve(scenario, "--port", urlsplit(address).port) as (process, _):
        assert process.wait(10) == 2
        assert b"cannot be had" in process.stderr.read()
