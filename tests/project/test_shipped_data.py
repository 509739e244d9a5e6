"""What was proven of the data that ships holds for the data and the rules of this checkout."""

import pytest

from support.shipped_data import COMMAND, KINDS, ROOT, digest, sources, stamps


@pytest.mark.parametrize("kind", KINDS)
def test_the_data_was_proven_with_these_rules(kind):
    assert stamps().get(kind) == digest(kind), f"prove it again, and commit the note: {COMMAND}"


@pytest.mark.parametrize("kind", KINDS)
def test_the_digest_covers_data_rules_kernel_and_solver(kind):
    package, covered = ROOT / "gtp_engine", sources(kind)
    for pattern in (*KINDS[kind].data, *KINDS[kind].tests):
        assert {path for path in ROOT.glob(pattern) if path.is_file()} <= covered
    assert set((package / "rules").glob("*.py")) <= covered
    compiled = list((package / "kernel").rglob("*.[ch]pp"))
    assert len(compiled) > 50 and set(compiled) <= covered
    for name in ("points/groups", "notation/position_text"):
        assert package / "rules" / f"{name}.py" in covered
    assert package / "search" / "backends" / "kernel.py" in covered


def test_a_change_of_any_source_changes_the_digest(tmp_path, monkeypatch):
    for kind in KINDS:
        before = digest(kind)
        changed = sorted(sources(kind))[len(kind)]
        read = type(changed).read_bytes
        with monkeypatch.context() as patch:
            patch.setattr(
                type(changed),
                "read_bytes",
                lambda path: read(path) + b"#" * (path == changed),  # noqa: B023
            )
            assert digest(kind) != before
        assert digest(kind) == before
