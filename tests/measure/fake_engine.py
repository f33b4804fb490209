"""A server like vLLM's, with a child and a grandchild, that fails in the way it is told to.

Usage: python fake_engine.py MODEL --host H --port P --served-model-name NAME [--mode MODE]
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SLEEPER = (
    "import signal, subprocess, sys, time\n"
    "if 'stubborn' in sys.argv: signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "if 'parent' in sys.argv:\n"
    "    rest = [a for a in sys.argv[1:] if a != 'parent']\n"
    "    subprocess.Popen([sys.executable, '-c', sys.stdin.read(), *rest])\n"
    "time.sleep(600)\n"
)


def answers(args):  # noqa: C901  one class a page reads best whole
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            pages = {
                "/health": (200, ""),
                "/version": (200, json.dumps({"version": "9.9.9"})),
                "/metrics": (
                    200,
                    '# fake\nvllm:cache_config_info{engine="0",block_size="16"} 1.0\n',
                ),
                "/v1/models": (200, json.dumps({"data": [{"id": args.served_model_name}]})),
            }
            if args.mode == "redirects":
                self.reply(302, "", location="/elsewhere")
            elif self.path.startswith("/v1") and not self.may_enter():
                self.reply(401, json.dumps({"error": "Unauthorized"}))
            else:
                self.reply(*pages.get(self.path, (404, "")))

        def do_POST(self):
            self.rfile.read(int(self.headers["content-length"]))
            if args.mode == "dies_at_completion":
                print("TypeError: 'function' object is not subscriptable", flush=True)
                os._exit(1)
            if args.mode == "error_under_200":
                self.reply(200, json.dumps({"error": {"message": "no kernel for this"}}))
            elif not self.may_enter():
                self.reply(401, json.dumps({"error": "Unauthorized"}))
            else:
                self.reply(200, json.dumps({"choices": [{"text": "x"}]}))

        def may_enter(self):
            key = os.environ.get("VLLM_API_KEY")
            return key is None or self.headers.get("authorization") == f"Bearer {key}"

        def reply(self, status, text, location=None):
            self.send_response(status)
            if location:
                self.send_header("location", location)
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *args):
            pass

    return Handler


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--host")
    parser.add_argument("--port", type=int)
    parser.add_argument("--served-model-name")
    parser.add_argument("--mode", default="serves")
    args = parser.parse_args()
    print(f"loading {args.model}", flush=True)
    stubborn = ["stubborn"] if args.mode == "stubborn" else []
    if stubborn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen(
        [sys.executable, "-c", SLEEPER, "parent", *stubborn], stdin=subprocess.PIPE
    )
    child.stdin.write(SLEEPER.encode())
    child.stdin.close()
    if args.mode == "dies_loading":
        print("(Worker pid=7) ERROR 12-02 06:01:33 [w.py:7] RuntimeError: no memory for the cache.")
        print("RuntimeError: Engine core initialization failed. See root cause above.", flush=True)
        sys.exit(1)
    if args.mode == "hangs":
        time.sleep(600)
    server = ThreadingHTTPServer((args.host, args.port), answers(args))
    server.daemon_threads = True
    serving = threading.Thread(target=server.serve_forever, daemon=True)
    serving.start()
    serving.join()


if __name__ == "__main__":
    main()
