"""A server of known pace: `python paced_server.py PORT [options]`, speaking like vLLM.

The n-th event of a request is due at receipt + TTFT + n × gap, on an absolute schedule;
faults are asked for by options. `/metrics` counts what was really written.
"""

import argparse
import asyncio
import json
import time


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
    parser.add_argument("--close", action="store_true", help="close after each response")
    parser.add_argument("--fault", choices=["http_503", "error_event", "cut", "hang"])
    parser.add_argument("--fault-every", type=int, default=1)
    return parser.parse_args()


class Server:
    def __init__(self, args):
        self.args = args
        self.gate = asyncio.Semaphore(args.max_running)
        self.requests = self.running = self.waiting = 0
        self.prompt = self.generated = self.cached = 0

    async def connection(self, reader, writer):
        try:
            while await self.exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def exchange(self, reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        received = time.monotonic()
        path = head.split()[1].decode()
        length = 0
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        body = json.loads(await reader.readexactly(length)) if length else {}
        if path.endswith("completions"):
            return await self.complete(body, received, writer)
        if path == "/metrics":
            reply(writer, 200, self.metrics(), "text/plain")
        elif path == "/v1/models":
            reply(writer, 200, json.dumps({"data": [{"id": "paced"}]}))
        elif path == "/tokenize":
            missing = self.args.no_token_prompts
            reply(writer, 404 if missing else 200, '{"tokens": [10, 1009]}')
        else:
            reply(writer, 200, "{}")
        await writer.drain()
        return True

    def metrics(self):
        rows = {
            "num_requests_running": self.running,
            "num_requests_waiting": self.waiting,
            "kv_cache_usage_perc": 0.5,
            "num_preemptions_total": 0,
            "prompt_tokens_total": self.prompt,
            "prompt_tokens_cached_total": self.cached,
            "generation_tokens_total": self.generated,
            "prefix_cache_queries_total": self.prompt,
            "prefix_cache_hits_total": self.cached,
        }
        return "".join(f'vllm:{name}{{engine="0"}} {value}\n' for name, value in rows.items())

    async def complete(self, body, received, writer):
        args = self.args
        prompt = body.get("prompt", "1")
        is_text = isinstance(prompt, str)
        if (args.no_token_ids and "return_token_ids" in body) or (
            args.no_token_prompts and isinstance(prompt, list)
        ):
            reply(writer, 400, json.dumps({"error": {"message": "unknown field"}}))
            await writer.drain()
            return True
        self.requests += 1
        faulty = args.fault if self.requests % args.fault_every == 0 else None
        if faulty == "http_503":
            reply(writer, 503, "{}")
            await writer.drain()
            return True
        self.waiting += 1
        async with self.gate:
            self.waiting -= 1
            self.running += 1
            try:
                return await self.stream(
                    body, received, writer, faulty, 9 if is_text else len(prompt)
                )
            finally:
                self.running -= 1

    async def stream(self, body, received, writer, faulty, inputs):
        args = self.args
        total = body["max_tokens"] - args.short
        if not body.get("stream"):
            reply(writer, 200, json.dumps({"choices": [{"text": "x"}], "usage": {}}))
            await writer.drain()
            return True
        self.prompt += inputs
        self.cached += min(args.cached, inputs)
        self.generated += args.lost_tokens
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
            + (b"connection: close\r\n" if args.close else b"")
            + b"transfer-encoding: chunked\r\n\r\n"
        )
        sent = number = 0
        while sent < total:
            due = received + args.ttft_s + number * args.gap_s
            if (late := due - time.monotonic()) > 0:
                await asyncio.sleep(late)
            count = min(args.tokens_per_event, total - sent)
            sent, number = sent + count, number + 1
            if faulty and number > 1:
                return await self.fail(faulty, writer)
            event(writer, self.event(body, count, sent, total, inputs))
            self.generated += count
            await writer.drain()
        usage = {"prompt_tokens": inputs, "completion_tokens": total}
        event(writer, json.dumps({"choices": [], "usage": usage}))
        event(writer, "[DONE]")
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return not args.close

    def event(self, body, count, sent, total, inputs):
        finish = "length" if sent >= total else None
        choice = {"index": 0, "text": "x" * count, "finish_reason": finish}
        if body.get("return_token_ids"):
            choice["token_ids"] = [7] * count
        if "messages" in body:
            choice["delta"] = {"content": choice.pop("text")}
        tree = {"id": "cmpl-0123456789abcdef", "object": "text_completion", "choices": [choice]}
        asked = (body.get("stream_options") or {}).get("continuous_usage_stats")
        if asked and not self.args.no_continuous_usage:
            tree["usage"] = {"prompt_tokens": inputs, "completion_tokens": sent}
        return json.dumps(tree)

    async def fail(self, fault, writer):
        if fault == "error_event":
            event(writer, '{"error": {"message": "broken"}}')
            event(writer, "[DONE]")
            writer.write(b"0\r\n\r\n")
            await writer.drain()
            return True
        if fault == "hang":
            await asyncio.sleep(60)
        return False


def event(writer, text):
    data = f"data: {text}\n\n".encode()
    writer.write(b"%x\r\n%b\r\n" % (len(data), data))


def reply(writer, status, text, kind="application/json"):
    body = text.encode()
    writer.write(
        f"HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\n"
        f"content-length: {len(body)}\r\n\r\n".encode()
        + body
    )


async def main():
    args = options()
    server = Server(args)
    listening = await asyncio.start_server(server.connection, "127.0.0.1", args.port, limit=1 << 24)
    print(listening.sockets[0].getsockname()[1], flush=True)
    async with listening:
        await listening.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
