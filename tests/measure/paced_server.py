"""A server of known pace: `python paced_server.py PORT [options]`, speaking like vLLM.

The n-th event of a request is due at receipt + TTFT + n × gap, on an absolute schedule;
faults are asked for by options. `/metrics` counts what was really written.
"""

import asyncio
import json
import os
import time

from paced_options import options


class Server:
    def __init__(self, args):
        self.args = args
        self.gate = asyncio.Semaphore(args.max_running)
        self.requests = self.running = self.waiting = 0
        self.prompt = self.generated = self.cached = self.connections = 0
        self.begun = self.listening = None
        self.held, self.readers = {}, {}

    async def connection(self, reader, writer):
        self.connections += 1
        self.readers[writer] = reader
        try:
            while self.connections <= self.args.max_connections and await self.exchange(
                reader, writer
            ):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self.connections -= 1
            del self.readers[writer]
            writer.close()

    def age(self):
        """Seconds since the first streamed request."""
        if self.begun is None:
            self.begun = time.monotonic()
        return time.monotonic() - self.begun

    def due(self, received, number):
        """When an event is due; a stall holds back all that fall into it."""
        args = self.args
        gap_s = args.gap_s * (1 + args.slow_down * self.age())
        due = received + args.ttft_s + number * gap_s
        stall = self.begun + args.stall_at_s
        return stall + args.stall_s if stall <= due < stall + args.stall_s else due

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
        await asyncio.sleep(self.args.slow_control_s)
        if path == "/metrics":
            missing = self.args.no_metrics
            reply(writer, 404 if missing else 200, "" if missing else self.metrics(), "text/plain")
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
        if (args.no_token_ids and "return_token_ids" in body) or (
            args.no_token_prompts and isinstance(prompt, list)
        ):
            reply(writer, 400, json.dumps({"error": {"message": "unknown field"}}))
            await writer.drain()
            return True
        self.requests += 1
        round_, rest = divmod(self.requests, args.fault_every)
        faults = args.fault.split(",")
        faulty = faults[round_ % len(faults)] if rest == 0 else None
        if faulty in ("http_429", "http_503"):
            after = args.retry_after
            reply(writer, int(faulty[-3:]), "{}", more=f"retry-after: {after}\r\n" if after else "")
            await writer.drain()
            return True
        self.waiting += 1
        has_waited = self.gate.locked()
        async with self.gate:
            # One that waited is served from its admission on: so many a second, and no more.
            received = time.monotonic() if has_waited else received
            self.waiting -= 1
            self.running += 1
            try:
                return await self.stream(body, received, writer, faulty, tokens_in(body))
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
        self.age()
        bursts = [int(n) for n in args.bursts.split(",")] if args.bursts else []
        total = {"empty": 0, "stop": total // 2}.get(faulty, total)
        self.begin(writer)
        sent = number = 0
        while sent < total:
            if (late := self.due(received, number) - time.monotonic()) > 0:
                await asyncio.sleep(late)
            self.trouble()
            burst = bursts[number % len(bursts)] if bursts else args.tokens_per_event
            count = min(burst, total - sent)
            sent, number = sent + count, number + 1
            if faulty in ("error_event", "cut", "hang") and number > 1:
                return await self.fail(faulty, writer)
            last = {"stop": "stop", "no_finish": None}.get(faulty, "length")
            finish = None if sent < total else last
            self.event(writer, self.tree(body, count, sent, finish, inputs))
            self.generated += count
            if number % args.merge == 0 or sent == total:
                self.flush(writer)
                await writer.drain()
        if faulty != "no_usage" and not args.no_usage:
            usage = {"prompt_tokens": inputs, "completion_tokens": total}
            self.event(writer, json.dumps({"choices": [], "usage": usage}))
        if faulty != "no_done":
            self.event(writer, "[DONE]")
        self.flush(writer)
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return not args.close

    def begin(self, writer):
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
            + (b"connection: close\r\n" if self.args.close else b"")
            + b"transfer-encoding: chunked\r\n\r\n"
        )
        if self.args.role_chunk:
            choice = {"index": 0, "text": "", "token_ids": [], "delta": {"role": "assistant"}}
            self.event(writer, json.dumps({"choices": [choice]}))

    def trouble(self):
        if self.age() >= self.args.die_at_s:
            os._exit(1)
        if self.requests > self.args.refuse_after:
            self.listening.close()

    def event(self, writer, text):
        end = "\r\n" if self.args.crlf else "\n"
        comment = f": ping{end}{end}" if self.args.comments else ""
        data = f"{comment}data: {text}{end}{end}".encode()
        if self.args.byte_chunks:
            chunks = [b"1\r\n%c\r\n" % number for number in data]
        else:
            chunks = [b"%x\r\n%b\r\n" % (len(data), data)]
        if self.args.merge > 1:
            self.held.setdefault(writer, []).extend(chunks)
            return
        for chunk in chunks:
            writer.write(chunk)

    def flush(self, writer):
        writer.write(b"".join(self.held.pop(writer, [])))

    def tree(self, body, count, sent, finish, inputs):
        choice = {"index": 0, "text": self.args.letters * count, "finish_reason": finish}
        if body.get("return_token_ids"):
            choice["token_ids"] = [7] * count
        if "messages" in body:
            choice["delta"] = {"content": choice.pop("text")}
        tree = {"id": "cmpl-0123456789abcdef", "object": "text_completion", "choices": [choice]}
        asked = (body.get("stream_options") or {}).get("continuous_usage_stats")
        if asked and not self.args.no_continuous_usage:
            tree["usage"] = {"prompt_tokens": inputs, "completion_tokens": sent}
        return json.dumps(tree, ensure_ascii=False)

    async def fail(self, fault, writer):
        if fault == "error_event":
            self.event(writer, '{"error": {"message": "broken"}}')
            self.event(writer, "[DONE]")
            writer.write(b"0\r\n\r\n")
            await writer.drain()
            return True
        while fault == "hang" and not self.readers[writer].at_eof():
            await asyncio.sleep(0.05)
        return False


def tokens_in(body):
    """Token ids as they are; of text two a word, and of a chat template six."""
    prompt = body.get("prompt")
    if prompt is None:
        return 6 + 2 * len(body["messages"][0]["content"].split())
    return 2 * len(prompt.split()) if isinstance(prompt, str) else len(prompt)


def reply(writer, status, text, kind="application/json", more=""):
    body = text.encode()
    writer.write(
        f"HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\n"
        f"{more}content-length: {len(body)}\r\n\r\n".encode()
        + body
    )


async def main():
    args = options()
    server = Server(args)
    server.listening = await asyncio.start_server(
        server.connection, "127.0.0.1", args.port, limit=1 << 24
    )
    print(server.listening.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
