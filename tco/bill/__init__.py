"""A bill is what a provider's usage or cost export tells: traffic, and what it cost."""

from __future__ import annotations

from tco.bill.bill import Bill
from tco.bill.facts import BillFacts
from tco.bill.reading import load_bill

__all__ = ["Bill", "BillFacts", "load_bill"]
