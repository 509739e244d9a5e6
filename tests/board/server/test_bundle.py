"""The page as one file: all of it is there, and what could break is refused."""

import re
import subprocess

import pytest

from gtp_engine.engine import page
from gtp_engine.engine.page import bundle
from support.tools import node

MODULE = 'import { at } from "./dom.js";\nexport const A = at;\n'


@pytest.fixture
def parts(monkeypatch):
    """The modules of a page for a test; gives a dictionary to fill."""
    found = {"dom.js": "export function at() {}\n"}
    monkeypatch.setattr(bundle, "_part", found.__getitem__)
    return found


def made(parts, text: str) -> str:
    parts["main.js"] = text
    return bundle.bundle.__wrapped__()


def test_every_module_is_there_after_those_that_it_needs():
    script = bundle.bundle()
    order = re.findall(r"^part\.(\w+) = \(", script, re.MULTILINE)
    folder = bundle.files(page.__name__)
    assert sorted(order) == sorted(each.stem for each in folder.iterdir() if each.suffix == ".js")
    for module in re.split(r"\npart\.(?=\w+ = \()", script)[1:]:
        name, _, text = module.partition(" = ")
        needed = re.findall(r"=part\.(\w+);", text)
        assert all(order.index(each) < order.index(name) for each in needed)
        source = folder.joinpath(f"{name}.js").read_text()
        assert set(needed) == set(re.findall(r' from "\./(\w+)\.js"', source))
        exported = set(
            re.findall(r"^export .*?(?:function|class|const) (\w+)", source, re.MULTILINE)
        )
        returned = re.search(r"^return\{(.*)\};\n\}\)\(\);$", text, re.MULTILINE)[1]
        assert set(filter(None, returned.split(","))) == exported


def test_the_script_can_be_read(tmp_path):
    path = tmp_path / "bundle.mjs"
    path.write_text(bundle.bundle())
    subprocess.run([node(), "--check", str(path)], check=True, timeout=60)


def test_the_sheets_lose_only_comments_and_blanks_that_mean_nothing():
    parts = bundle.files(page.__name__)
    names = re.findall(r'href="(\w+\.css)"', parts.joinpath("index.html").read_text())
    read = "".join(parts.joinpath(name).read_text() for name in names)
    read = re.sub(r"/\*.*?\*/", "", read, flags=re.DOTALL)
    sheet = bundle.joined()[bundle.SHEET]

    def marks(text):
        return "".join(text.split()).replace(";}", "}")

    assert len(names) > 5
    assert marks(sheet) == marks(read)
    assert re.findall(r'"[^"]*"', sheet) == re.findall(r'"[^"]*"', read)
    sums = re.compile(r"\s[+-]\s")
    assert len(sums.findall(sheet)) == len(sums.findall(read)) > 10, "they need their blanks"


def test_only_what_is_surely_a_comment_is_left_out():
    text = (
        '/** a */\n  one(); // b\n\n/* c\n * d */\n"//e";\n  // f\nx = a /* g */ * b; /* h\n*/ y;\n'
        'z = "; // i";\n'
    )
    assert bundle.dense(text) == 'one();\n"//e";\nx = a /* g */ * b; /* h\n*/ y;\nz = "; // i";\n'


def test_imports_and_exports_become_plain(parts):
    assert made(parts, MODULE).endswith(
        "part.main = (() => {\nconst{at}=part.dom;\nconst A = at;\nreturn{A};\n})();\n"
    )


def test_brackets_end_no_line_and_begin_none_unless_a_remark_may_stand_before(parts):
    text = "if (A) {\nat(\nA);\n}\nat('//', {\nA });\nif (A) {\nat(A); // '\n}\n"
    short = "\nif (A) {at(A);}\nat('//', {\nA });\nif (A) {at(A); // '\n}\n"
    assert short in made(parts, MODULE + text)


@pytest.mark.parametrize(
    "line",
    [
        'import at from "./dom.js";',
        'import * as dom from "./dom.js";',
        'import "./dom.js";',
        'export { at } from "./dom.js";',
        "export default 1;",
        "export let A = 1;",
        'const dom = await import("./dom.js");',
        "const A = `a\nb`;",
        'const A = "</SCRIPT>";',
        'const A = "<!--";',
        'const A = "\u2026";',
        'import { A } from "./main.js";',
    ],
)
def test_what_would_break_is_refused(parts, line):
    with pytest.raises(ValueError):
        made(parts, f"{MODULE}{line}\n")


def test_the_policy_names_the_one_script_and_the_one_sheet():
    text = bundle.page_with("</title><b>\u00e9", {"enclosed": bundle.packed({"list": []})})
    script = re.search(r'<script type="module">(.*?)</script>', text, re.DOTALL)[1]
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1]
    policy = re.search(r'http-equiv="Content-Security-Policy" content="(.*?)"', text)[1]
    rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == f"'{bundle._hash(script)}'"
    assert rules["style-src"] == f"'{bundle._hash(style)}'"
    assert rules["require-trusted-types-for"] == "'script'"
    assert "<title>&lt;/title&gt;&lt;b&gt;&#233;</title>" in text
    assert text.isascii() and len(re.findall("<script", text)) == 2 and 'href="style' not in text
