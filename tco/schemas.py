"""The JSON Schemas of what crosses a file; `python -m tco.schemas` writes them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from tco.bench_comparison import BenchComparison
from tco.bill.summary import BillSummary
from tco.catalog import CatalogPower, CatalogPurchase, CatalogRent
from tco.comparison import Comparison
from tco.measurement import Measurement
from tco.quality import QualityProbe
from tco.scenario import Scenario
from tco.search_document import Search
from tco.shapes import Shapes
from tco.side_by_side import SideBySide
from tco.solution import Solution
from tco.sweep_document import SweepDocument
from tco.traffic.shape import TrafficShape
from tco.tuning import Tuning

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
# What we read is described as input, what only we write as output.
_DOCUMENTS: dict[str, tuple[type[BaseModel], Literal["validation", "serialization"]]] = {
    "scenario": (Scenario, "validation"),
    "measurement": (Measurement, "validation"),
    "comparison": (Comparison, "serialization"),
    "solve": (Solution, "serialization"),
    "sweep": (SweepDocument, "serialization"),
    "bench_comparison": (BenchComparison, "serialization"),
    "traffic_shape": (TrafficShape, "serialization"),
    "bill": (BillSummary, "serialization"),
    "side_by_side": (SideBySide, "serialization"),
    "tune": (Tuning, "serialization"),
    "search": (Search, "serialization"),
    "shapes": (Shapes, "serialization"),
    "quality": (QualityProbe, "serialization"),
}


class FilledPower(CatalogPower):
    """What a hardware row and an electricity row fill of `power`."""

    usd_per_kwh: None = None


# A file may leave out what a hardware row fills in.
_FILLED: dict[str, type[BaseModel]] = {
    "Power": FilledPower,
    "Purchase": CatalogPurchase,
    "Rent": CatalogRent,
}
# How a shape may be stated: a trace, a session or a mix tells the means.
_SHAPES = (["input_tokens", "output_tokens"], ["trace"], ["session"], ["mix"])


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of one of our documents, by its name."""
    model, mode = _DOCUMENTS[name]
    document = model.model_json_schema(by_alias=True, mode=mode)
    if model is Scenario:
        for part, row in _FILLED.items():
            definition = document["$defs"][part]
            definition["required"] = [
                key for key in definition["required"] if key not in row.model_fields
            ]
        del document["$defs"]["Shape"]["required"]
        document["$defs"]["Shape"]["anyOf"] = [{"required": keys} for keys in _SHAPES]
        # Beside a bill a shape states what the bill does not tell, or is left out.
        traffic = document["$defs"]["Traffic"]
        del traffic["required"]
        whole = {"shape": {"anyOf": document["$defs"]["Shape"].pop("anyOf")}}
        traffic["anyOf"] = [{"required": ["bill"]}, {"required": ["shape"], "properties": whole}]
    return {"$schema": _DIALECT, **document}


def schema_files() -> dict[str, str]:
    """Return the text of each file of docs/schemas/ by its name."""
    return {
        f"{name}.schema.json": json.dumps(schema(name), indent=2, ensure_ascii=False) + "\n"
        for name in _DOCUMENTS
    }


def write_schemas(folder: Path) -> None:
    """Write all schemas into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in schema_files().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_schemas(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/schemas"))
