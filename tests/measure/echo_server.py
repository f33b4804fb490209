"""A server whose answers nobody else gives, and which keeps what it was asked."""

import contextlib
import http.server
import itertools
import json
import threading


class Echo(http.server.BaseHTTPRequestHandler):
    """Streams answers of tokens that no other answer holds, and keeps every request."""

    protocol_version = "HTTP/1.1"
    numbers = itertools.count(100_000)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        ids = [next(self.numbers) for _ in range(body["max_tokens"])]
        server = self.server
        fails = len(server.asked) in server.failing
        server.asked.append((body, ids))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for place, number in enumerate(ids):
            choice = {"index": 0, "finish_reason": None if place + 1 < len(ids) else "length"}
            said = f'w{number} "é" '
            if "messages" in body:
                choice["delta"] = {"content": said}
            else:
                choice["text"] = said
            if body.get("return_token_ids"):
                choice["token_ids"] = [number]
            self.event(json.dumps({"choices": [choice]}))
            if fails:
                self.event('{"error": {"message": "broken"}}')
                break
        usage = {"prompt_tokens": 1, "completion_tokens": len(ids)}
        self.event(json.dumps({"choices": [], "usage": usage}))
        self.event("[DONE]")
        self.wfile.write(b"0\r\n\r\n")

    def event(self, text):
        data = f"data: {text}\n\n".encode()
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def echo_server(tls=None):
    """Run one; `asked` grows by (body, token ids) a request, `failing` are those to break."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    server.asked, server.failing = [], set()
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
