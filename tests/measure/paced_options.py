"""What the server of known pace can be told: its pace, its form, its faults."""

import argparse

FAULTS = "http_429, http_503, error_event, cut, hang, empty, stop, no_done, no_finish, no_usage"


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--ttft-s", type=float, default=0.05)
    parser.add_argument("--gap-s", type=float, default=0.02)
    parser.add_argument("--tokens-per-event", type=int, default=1)
    parser.add_argument("--max-running", type=int, default=100_000)
    parser.add_argument("--cached", type=int, default=0)
    parser.add_argument("--lost-tokens", type=int, default=0, help="counted, never sent")
    parser.add_argument("--short", type=int, default=0, help="tokens left out of each answer")
    parser.add_argument("--no-token-ids", action="store_true")
    parser.add_argument("--no-continuous-usage", action="store_true")
    parser.add_argument("--no-token-prompts", action="store_true")
    parser.add_argument("--no-usage", action="store_true", help="no usage in any answer")
    parser.add_argument("--no-metrics", action="store_true")
    parser.add_argument("--slow-control-s", type=float, default=0.0, help="all but completions")
    parser.add_argument("--bursts", help="tokens of the events in turn, for example 1,4,2")
    parser.add_argument("--slow-down", type=float, default=0.0, help="gap grows so much a second")
    parser.add_argument("--stall-at-s", type=float, default=1e9, help="after the first request")
    parser.add_argument("--stall-s", type=float, default=0.0)
    parser.add_argument("--die-at-s", type=float, default=1e9, help="after the first request")
    parser.add_argument("--crlf", action="store_true")
    parser.add_argument("--byte-chunks", action="store_true", help="a chunk and a write a byte")
    parser.add_argument("--merge", type=int, default=1, help="so many events leave in one write")
    parser.add_argument("--role-chunk", action="store_true", help="an empty first event at once")
    parser.add_argument("--comments", action="store_true", help="a comment before each event")
    parser.add_argument("--letters", default="x", help="the text of each token")
    parser.add_argument("--retry-after", help="header of 429 and 503, in seconds")
    parser.add_argument("--refuse-after", type=int, default=10**9, help="requests: none connects")
    parser.add_argument("--max-connections", type=int, default=100_000)
    parser.add_argument("--close", action="store_true", help="close after each response")
    parser.add_argument("--fault", default="", help="some of these in turn: " + FAULTS)
    parser.add_argument("--fault-every", type=int, default=1)
    return parser.parse_args()
