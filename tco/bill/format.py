"""A Format tells what the keys of an export stand for, and makes a Row of its record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from tco.bill.records import Record
from tco.bill.row import Row
from tco.bill.value import check_currency, count, moment_s, number


@dataclass(frozen=True, slots=True)
class Format:
    """Names of keys (in lower case) and what they stand for; of several, see each attribute.

    Attributes:
        provider: whose usage and costs go together; `any` goes with everyone's.
        needs: the keys by which it is recognised, all of them.
        start: the first that is there counts.
        end: as `start`; where none is there, a row lasts `span_s`.
        span_s: 0 for rows that are one request each.
        model: the first that is there.
        requests: None where the export has none, or where a row is one request.
        input_tokens: their sum is the whole input.
        cached_tokens: the first that is there.
        cache_write_tokens: their sum.
        usd: their sum, in units of `usd_unit`.
        model_of: makes the model of what stands there.
        left_out: says of a record that it was no request to a provider.
        is_other: says of a cost that it was paid for something else than text tokens.
        is_unclear: says of a cost that its name alone does not tell what it was paid for.
        row: reads a record where names alone do not tell.
    """

    name: str
    provider: str
    needs: tuple[str, ...]
    start: tuple[str, ...] = ()
    end: tuple[str, ...] = ()
    span_s: int = 0
    model: tuple[str, ...] = ("model",)
    requests: str | None = None
    is_request: bool = False
    input_tokens: tuple[str, ...] = ()
    cached_tokens: tuple[str, ...] = ()
    cache_write_tokens: tuple[str, ...] = ()
    output_tokens: str | None = None
    usd: tuple[str, ...] = ()
    usd_unit: Decimal = Decimal(1)
    currency: str | None = None
    id: str | None = None
    model_of: Callable[[str], str] = str
    left_out: Callable[[Record], bool] = lambda record: False  # noqa: ARG005  keeps every record
    is_other: Callable[[Record], bool] | None = None
    is_unclear: Callable[[Record], bool] | None = None
    row: Callable[[Record], Row] | None = None

    def has_usage(self) -> bool:
        """Say whether it tells of tokens."""
        return bool(self.input_tokens) or self.row is not None

    def has_cost(self) -> bool:
        """Say whether it tells of money."""
        return bool(self.usd) or self.row is not None


def row_of(form: Format, record: Record) -> Row:
    """Return the record as a row.

    Raises:
        TrafficError: a value that is not what its key stands for, or another currency.
    """
    if form.row is not None:
        return form.row(record)
    start_s = moment_s(*_first(record, form.start))
    model = _first(record, form.model)[0]
    end = _first(record, form.end)
    check_currency(record.get(form.currency) if form.currency else None, form.currency or "")
    name = record.get(form.id) if form.id else None
    usd = _usd(form, record)
    is_other = form.is_other is not None and form.is_other(record)
    if is_other and form.is_request:
        # A speech or an embedding: no request that own hardware would answer with tokens.
        return Row(
            start_s=start_s,
            end_s=start_s,
            model=None if model is None else form.model_of(str(model)),
            other_usd=usd,
            id=None if name is None else str(name),
        )
    is_unclear = not is_other and form.is_unclear is not None and form.is_unclear(record)
    return Row(
        start_s=start_s,
        end_s=start_s + form.span_s if end[0] is None else moment_s(*end),
        model=None if model is None else form.model_of(str(model)),
        requests=Decimal(1) if form.is_request else _summed(record, form.requests),
        input_tokens=_summed(record, *form.input_tokens),
        cached_tokens=count(*_first(record, form.cached_tokens)),
        cache_write_tokens=_summed(record, *form.cache_write_tokens),
        output_tokens=_summed(record, form.output_tokens),
        usd=None if is_other else usd,
        other_usd=usd if is_other else None,
        unclear_usd=usd if is_unclear else None,
        id=None if name is None else str(name),
    )


def empty_row(form: Format, record: Record) -> Row:
    """Return a bucket without results: nothing was asked in that time."""
    start, end = _first(record, form.start), _first(record, form.end)
    return Row(start_s=moment_s(*start), end_s=moment_s(*end))


def _first(record: Record, keys: tuple[str, ...]) -> tuple[object, str]:
    for key in keys:
        if record.get(key) is not None:
            return record[key], key
    return None, keys[0] if keys else ""


def _summed(record: Record, *keys: str | None) -> Decimal | None:
    """Return the sum of what is there; None where nothing is."""
    stated = [count(record.get(key), key) for key in keys if key]
    there = [each for each in stated if each is not None]
    return sum(there, Decimal(0)) if there else None


def _usd(form: Format, record: Record) -> Decimal | None:
    stated = [number(record.get(key), key) for key in form.usd]
    there = [each for each in stated if each is not None]
    return sum(there, Decimal(0)) * form.usd_unit if there else None
