from pathlib import Path

import pytest

from contract.generate import DOCS, drift, main
from contract.schema import events
from contract.topics import CATALOGUE, event_name


def test_what_stands_in_docs_is_what_the_code_says() -> None:
    assert list(drift(DOCS)) == []


def test_there_is_a_schema_of_every_event(tmp_path: Path) -> None:
    assert main(["--docs", str(tmp_path)]) == 0
    assert {path.stem for path in (tmp_path / "schemas").iterdir()} == {event_name(event) for event in events()}


def test_a_check_right_after_writing_finds_nothing(tmp_path: Path) -> None:
    main(["--docs", str(tmp_path)])
    assert main(["--docs", str(tmp_path), "--check"]) == 0


def test_a_check_names_what_differs_is_missing_or_is_left_over_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["--docs", str(tmp_path)])
    (tmp_path / "topics.md").write_text("other\n", encoding="utf-8")
    (tmp_path / "asyncapi.json").unlink()
    (tmp_path / "schemas" / "dealer_changed.json").write_text("{}", encoding="utf-8")
    assert main(["--docs", str(tmp_path), "--check"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert [Path(line.split(" is not ")[0]).name for line in told] == [
        "asyncapi.json",
        "topics.md",
        "dealer_changed.json",
    ]
    assert (tmp_path / "topics.md").read_text(encoding="utf-8") == "other\n"
    assert (tmp_path / "schemas" / "dealer_changed.json").exists()


def test_writing_removes_the_schema_of_an_event_that_is_gone(tmp_path: Path) -> None:
    main(["--docs", str(tmp_path)])
    (tmp_path / "schemas" / "dealer_changed.json").write_text("{}", encoding="utf-8")
    main(["--docs", str(tmp_path)])
    assert not (tmp_path / "schemas" / "dealer_changed.json").exists()


def test_the_table_of_topics_has_every_topic_and_event(tmp_path: Path) -> None:
    main(["--docs", str(tmp_path)])
    page = (tmp_path / "topics.md").read_text(encoding="utf-8")
    for topic in CATALOGUE:
        (row,) = (line for line in page.splitlines() if line.startswith(f"| `{topic.name}` |"))
        assert all(f"[{event_name(event)}](schemas/{event_name(event)}.json)" in row for event in topic.events)
