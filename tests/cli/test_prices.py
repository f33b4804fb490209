import json
import subprocess
import sys
from pathlib import Path

import pytest

from tco.cli import main

HEAD = Path(__file__).parents[1] / "data" / "price_files" / "litellm_head.json"
BAD = "provider,model,input_usd_per_million,output_usd_per_million\nopenai,gpt-5,1.25e-6,1e-5\n"


def run(*arguments):
    with pytest.raises(SystemExit) as ended:
        main(["prices", *map(str, arguments)])
    return ended.value.code


def test_list_names_the_rows_with_prices_dates_and_tables(capsys):
    assert run("list", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    row = next(r for r in found["rows"] if r["name"] == "together/nemotron-3.5-super-vl")
    assert (row["input_usd_per_million"], row["cached_input_usd_per_million"]) == (0.15, 0.02)
    assert row["table"] == "pricing/api/together.yaml"
    assert found["has_second"] is False


def test_list_with_a_filter_looks_through_genai_prices_too(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert run("list", "GPT-5-nano") == 0
    out = capsys.readouterr().out
    assert "openai/gpt-5-nano" in out
    assert "genai-prices 0.2.3" in out


def test_show_puts_the_providers_side_by_side(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    shape = ("--input-tokens", 10000, "--output-tokens", 500, "--cached-input-share", 0.835)
    assert run("show", "together/nemotron-3.5-super-vl", *shape, "--date", "2026-12-02") == 0
    out = capsys.readouterr().out
    assert "10,000 input tokens (8,350 of them cached) and 500 output tokens" in out
    assert "664.50" in out
    assert out.index("together") < out.rindex("baseten")


def test_show_prints_one_document_with_source_date_and_hash(capsys):
    assert run("show", "gpt-oss-120b", "--json", "--prices", HEAD) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "tco.price_quotes/1"
    bills = [quote["usd_per_request"] for quote in found["quotes"]]
    assert bills == sorted(bills)
    assert {"source", "date", "row_sha256", "service"} <= found["quotes"][0].keys()
    assert any(quote["table"] == HEAD.name for quote in found["quotes"])


def test_check_ends_with_4_where_a_row_is_invalid(tmp_path, capsys):
    bad = tmp_path / "bad.csv"
    bad.write_text(BAD)
    assert run("check", bad) == 4
    out = capsys.readouterr().out
    assert "invalid: bad.csv: openai/gpt-5 asks 0.00000125 USD" in out
    assert "where genai-prices 0.2.3 says 1.25" in out
    assert run("check", bad, "--json") == 4
    assert json.loads(capsys.readouterr().out)["findings"][0]["severity"] == "invalid"


def test_check_of_the_shipped_tables_is_clean(capsys):
    assert run("check", "--date", "2026-11-09") == 0
    assert "0 invalid, 0 warnings" in capsys.readouterr().out


def test_import_writes_a_table_that_compare_and_diff_take(tmp_path, capsys):
    out = tmp_path / "openai.yaml"
    options = ("-o", out, "--provider", "openai", "--date", "2026-11-20")
    assert run("import", HEAD, *options) == 0
    said = capsys.readouterr().err
    assert "mode is embedding" in said
    assert f"wrote {out}" in said
    assert run("import", HEAD, *options) == 2
    assert run("import", HEAD, *options, "--force") == 0
    capsys.readouterr()
    assert run("diff", HEAD, out, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["changed"] == []
    assert found["added"] == []
    assert found["unchanged"] > 0


def test_diff_shows_what_moved(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    old.write_text(BAD.replace("1.25e-6,1e-5", "1,10"))
    new.write_text(BAD.replace("1.25e-6,1e-5", "1.5,10"))
    assert run("diff", old, new) == 0
    out = capsys.readouterr().out.replace("\u00a0", " ")
    assert "+50 %" in out
    assert "1 changed, 0 added, 0 removed, 0 as before" in out


SCENARIO = """\
schema: tco.scenario/1
name: case
date: 2026-12-02
traffic: {shape: {input_tokens: 2000, cached_input_share: 0.5, output_tokens: 500}}
measurement: {published: {output_tok_per_s: 11840, source: s, date: 2026-10-15}}
hardware: {rent: {usd_per_hour: 3}}
alternatives: [{catalog: CATALOG}]
"""


def compared(tmp_path, catalog, *options):
    scenario = tmp_path / "s.yaml"
    scenario.write_text(SCENARIO.replace("CATALOG", catalog))
    with pytest.raises(SystemExit) as ended:
        main(["compare", str(scenario), "--json", *options])
    return ended.value.code


def test_compare_prices_a_model_of_genai_prices_and_says_which_table(tmp_path, capsys):
    assert compared(tmp_path, "openai/gpt-5", "--set", "alternatives.0.service=flex") == 0
    found = json.loads(capsys.readouterr().out)["alternatives"][0]
    source = found["price_source"]
    assert (source["table"], source["service"]) == ("genai-prices 0.2.3", "flex")
    assert source["date"] == "2026-11-09"
    # (1,000 x 0.625 + 1,000 x 0.0625 + 500 x 5) / 10^6
    assert found["usd_per_request"] == pytest.approx(0.0031875, rel=1e-12)


def test_compare_refuses_a_service_that_genai_prices_does_not_sell_on_the_day(tmp_path, capsys):
    options = ("--set", "alternatives.0.service=flex", "--set", "date=2026-10-01")
    assert compared(tmp_path, "openai/gpt-5", *options) == 2
    error = json.loads(capsys.readouterr().out)
    assert "no flex price in force on 2026-10-01" in error["message"]


def test_compare_takes_a_public_table_as_it_is(tmp_path, capsys):
    assert compared(tmp_path, "openai/gpt-5", "--prices", str(HEAD)) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["alternatives"][0]["price_source"]["table"] == HEAD.name
    assert "price_without_date" in {finding["kind"] for finding in found["findings"]}


def test_compare_on_rows_of_ours_never_imports_genai_prices(tmp_path):
    scenario = tmp_path / "s.yaml"
    scenario.write_text(SCENARIO.replace("CATALOG", "together/nemotron-3.5-super-vl"))
    code = (
        "import sys\nfrom tco.cli import main\n"
        f"try: main(['compare', {str(scenario)!r}, '--json'])\nexcept SystemExit: pass\n"
        "print([n for n in sys.modules if n.startswith('genai_prices')], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip().endswith("[]")
    assert json.loads(done.stdout)["alternatives"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("show", "no-such-model-at-all"), "no price table knows"),
        (("check", "none.csv"), "there is no such file"),
        (("import", HEAD, "-o", "x.txt"), "cannot write .txt"),
        (("import", HEAD, "-o", "x.yaml", "--provider", "openai"), "--date"),
        (("show", "gpt-5", "--input-tokens", "-1"), "--input-tokens"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_writes_nothing(
    arguments, words, capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == 2
    assert words in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_import_of_a_provider_that_the_file_lacks_names_those_it_has(tmp_path, capsys):
    table = tmp_path / "mine.csv"
    table.write_text(BAD.replace("1.25e-6", "1.25"), encoding="utf-8")
    assert run("import", table, "-o", tmp_path / "t.yaml", "--provider", "quartz") == 2
    assert "has no row of quartz; it has rows of openai\n" in capsys.readouterr().err
    assert not (tmp_path / "t.yaml").exists()
