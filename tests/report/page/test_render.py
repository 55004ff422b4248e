"""The report: counts, order, escaping, determinism, completeness of its tables, errors of damaged folders."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
import run_folder
from report_page import Page, front_of, page_of

from dpaudit.records.errors import ContentError, MissingPackageError
from dpaudit.records.verdict import OWN_SENTENCE, Basis, Evidence, Kind, Outcome, count
from dpaudit.report import scope, sections
from dpaudit.report.page.figures import INLINE_TARGETS, figures
from dpaudit.report.page.limits import MOST_BYTES
from dpaudit.report.page.pages import MOST_TOGETHER
from dpaudit.report.page.render import write_report
from dpaudit.report.page.templating import POLICY, SCRIPT
from dpaudit.report.wording import number
from dpaudit.runs.reading import Run, load_run


def rates_alone(folder: Path) -> None:
    """Scores files without what later plots need, so that two plots a target are drawn and not four."""
    for file in (folder / "scores").iterdir():
        data = json.loads(file.read_text(encoding="utf-8"))
        alone = data | dict.fromkeys(("band", "ruled_out", "progress", "power"))
        run_folder.change_file(folder, f"scores/{file.name}", json.dumps(alone))


ALL = [*run_folder.claims(), *run_folder.agreements(), *run_folder.games()]


def test_the_headline_counts_come_from_the_one_list(page: Page) -> None:
    wrong = sum(not v.as_expected for v in ALL)
    assert f"{wrong} of {len(ALL)} outcomes are not as expected" in page.text
    assert "What was checked" in page.text
    assert "How sure is it" in page.text
    assert "4 proved, 6 consistent, 5 refuted (3 of them expected), 1 inconclusive, 1 not run, 1 error" in page.text
    assert "2 of 4 mutants caught" in page.text
    whole = count(ALL)
    assert f"all {wrong} {' '.join(str(whole[outcome]) for outcome in Outcome)} {len(ALL)}" in page.text
    assert "seed 7" in page.text
    assert "exit code 1 (refuted)" in page.text
    assert "0123456789ab with local changes" in page.text
    papers = "7 claims of 2 papers (rbcd, srm), 2 proof steps, 1 added proof step, 4 mutants"
    assert f"{papers}, 2 backend agreements (1 not run), 4 audits, 2 controls." in page.text


def test_sections_come_in_the_order_of_the_design(html: str) -> None:
    names = ("scope", "unexpected", "refutations", "claims", "agreement", "audits", "controls", "provenance")
    places = [html.index(f'<section id="{name}"') for name in names]
    assert places == sorted(places)


def test_surprises_are_listed_gravest_first(page: Page) -> None:
    ordered = [v.id for v in sections.surprises(ALL)]
    assert ordered == [
        "srm/COR-6", "surprise/optimiser", "crash/target", "srm/COR-5",
        "srm/COR-5~slack", "rbcd/THM-1~condition dropped",
    ]  # fmt: skip
    findings = page.text[page.text.index("Unexpected outcomes (6)") :]
    assert sorted(ordered, key=lambda name: findings.index(f"{name} :")) == ordered


def test_a_run_without_surprises_says_so_and_has_no_such_section(tmp_path: Path) -> None:
    html = page_of(tmp_path, [v for v in ALL if v.as_expected])
    assert "outcomes are as expected</h1>" in html
    assert 'id="unexpected"' not in html
    assert "exit code" in html


def test_what_an_earlier_run_found_is_counted_on_the_first_screen_and_named_below(page: Page, tmp_path: Path) -> None:
    assert "kept from an earlier run" not in page.text
    folder = run_folder.write(tmp_path, cached=["toy/LEM-7", "toy/LEM-8"])
    said = Page(front_of(load_run(folder))).text
    assert "kept from an earlier run 2 items, named under provenance" in said
    assert "toy/LEM-7, toy/LEM-8" in said


def test_a_refutation_shows_statement_witness_effect_source_repair_and_replay(page: Page) -> None:
    part = page.text[page.text.index("Errata: statements") : page.text.index("Reductions and implementations that")]
    for words in (
        "Printed, and false x <= y", "Severity", "p = 5/2", "left = [3.25 +/- 1e-9]", "too small by a factor of 2",
        "A. Author (2024), A paper, page 4", "rbcd/LEM-2~repaired : proved", "dpaudit verify rbcd/LEM-2/s2 --seed 7",
    ):  # fmt: skip
        assert words in part


def test_consistent_is_counted_apart_by_basis_and_never_as_proof(page: Page) -> None:
    strong = scope.strength(ALL)
    assert dict(strong.bases) == {
        "partial-proof": 1,
        "search": 2,
        "sampling": 3,
        "unchecked-proof": 0,
        Basis.REFUTED_GIVEN: 0,
    }
    assert (strong.proved, strong.unconditional, strong.theorems) == (4, 3, (("minkowski", 1),))
    assert strong.statistical == 3
    assert "1 by partial-proof, 2 by search, 3 by sampling, 0 by unchecked-proof, 0 by valid inference" in page.text
    assert (
        "4 statements and steps are proved, 3 of them without assumptions; 6 outcomes are only consistent" in page.text
    )


def test_the_scope_names_views_budget_and_smallest_violation(page: Page) -> None:
    part = page.text[page.text.index("What this does and does not show") : page.text.index("Unexpected outcomes (6)")]
    assert "the final model, neighbours that replace one record (3)" in part
    assert "budget of the whole run is 0.001" in part
    assert "an epsilon of 2.625, at the delta of its claim; a smaller one may have been missed. The least" in part
    assert "The least powerful audit is rbcd/alg-1" in part
    assert "agree/rbcd/ALG-1/torch/float32 : torch is not installed" in part
    assert "crash/target : returned NaN in trial 3" in part


def test_mutants_are_a_score_with_escapes_named(page: Page) -> None:
    scores = {paper.name: (paper.caught, paper.planted) for paper in sections.papers(ALL)}
    assert scores == {"rbcd": (2, 3), "srm": (0, 1)}
    assert "Mutants of rbcd: 2 of 3 caught." in page.text
    assert "rbcd/THM-1~condition dropped : inconclusive , drops p >= 2" in page.text
    assert "sentences of their own" not in page.text


def test_what_coq_said_is_counted_and_stands_in_a_column(tmp_path: Path, page: Page) -> None:
    opinion = Evidence("coq", Outcome.NOT_RUN, "not run: apt install coq")
    asked = [replace(v, evidence=(*v.evidence, opinion)) for v in run_folder.claims()[:2]]
    text = Page(page_of(tmp_path, [*asked, *ALL[2:]])).text
    words = "A second opinion was asked for on 2 certificates: Coq accepted 0 and refused 0, and 2 were not put to it."
    assert words in text
    assert "Under coq stands what Coq said of the certificate" in text
    assert "not run: apt install coq" in text
    assert "Coq" not in page.text


@pytest.mark.parametrize(
    ("kind", "printed", "words"),
    [
        (Kind.STEP, "1", "fails"),
        (Kind.REDUCTION, "1", "fails, in a step that we added"),
        (Kind.STEP, "2", "holds"),
        (Kind.STEP, "1.995", "between the two"),
        (Kind.STEP, "e", "not compared"),
    ],
)
def test_the_table_of_constants_says_what_is_known_of_the_printed_one(
    kind: Kind, printed: str, words: str, tmp_path: Path
) -> None:
    numbers = (("constant", "factor"), ("printed", printed), ("proved", "2"), ("refuted", "1.99"))
    listed = [
        run_folder.verdict("toy/LEM-1/s1", kind, Outcome.PROVED),
        run_folder.verdict("toy/LEM-1/s1~best-factor", Kind.REDUCTION, Outcome.PROVED, numbers=numbers),
    ]
    html = front_of(load_run(run_folder.write(tmp_path, listed)))
    [row] = re.findall(
        r"<tr [^>]*><th scope=\"row\"><code>toy/LEM-1/s1</code></th>.*?</tr>", html[html.index('id="constants"') :]
    )
    cells = [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<td.*?</td>", row)]
    assert cells[:3] == ["factor", words, printed]


def test_sentences_of_their_own_are_said_beside_the_score(tmp_path: Path) -> None:
    numbers = ((OWN_SENTENCE, True),)
    own = run_folder.verdict("rbcd/LEM-2~own", Kind.MUTANT, Outcome.REFUTED, numbers=numbers)
    text = Page(page_of(tmp_path, [*ALL, own])).text
    assert "Mutants of rbcd: 2 of 3 caught; 1 of 1 false sentences of their own refuted, which are not counted." in text
    assert "Mutation score of the checks of claims: 2 of 4 mutants caught" in text


def test_controls_are_scored_both_ways(page: Page) -> None:
    assert "must be refuted: 1 of 1 were" in page.text
    assert "must not be refuted: 1 of 1 were not" in page.text


def test_an_agreement_shows_deviation_and_bound(page: Page) -> None:
    assert "rbcd/ALG-1 numba float64 consistent 3.1e-15 2.2e-13" in page.text


def test_every_plotted_number_stands_in_a_table(html: str, tmp_path: Path) -> None:
    run = load_run(run_folder.write(tmp_path))
    drawn = [figure for figure in figures(run.folder, run.verdicts).values() if figure.in_page]
    assert len(drawn) == html.count('<div class="plots">') == 3
    for figure in drawn:
        for table in figure.tables:
            assert table.caption in unescape(html)
            for row in table.rows:
                assert f"<tr>{''.join(f'<td>{number(item)}</td>' for item in row)}</tr>" in html
        assert figure.found.corner is not None
        assert f"at false-positive rate {number(figure.found.corner.false_positive_rate)}" in html
    for v in run_folder.games():
        for name, item in v.numbers:
            if name in {"epsilon_lower_95", "epsilon_claimed", "smallest_violation_at_90"}:
                assert f"<td>{number(item)}</td>" in html


@pytest.mark.deep
def test_pages_are_not_written_through_a_link_out_of_the_folder(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    kinds = [Kind.CLAIM] * (MOST_TOGETHER // 2 + 1)
    many = [run_folder.verdict(f"p{i % 2}/LEM-{i}", kind, Outcome.PROVED) for i, kind in enumerate(2 * kinds)]
    for name in ("plots", "papers"):
        folder = run_folder.write(tmp_path / name, [*many, *run_folder.games()])
        (folder / name).symlink_to(outside)
        with pytest.raises(ContentError, match="is a link"):
            write_report(folder)
    assert list(outside.iterdir()) == []


@pytest.mark.deep
def test_a_few_plots_are_in_the_page_and_the_others_are_files_that_it_links(tmp_path: Path) -> None:
    plain_one = run_folder.games()[0]
    surprise = replace(run_folder.games()[2], outcome=Outcome.INCONCLUSIVE)
    many = [replace(plain_one, id=f"lib/t{i}", attachments=(f"scores/t{i}.json",)) for i in range(14)]
    rates_alone(run_folder.write(tmp_path, [*many, surprise]))
    html = write_report(tmp_path).read_text(encoding="utf-8")
    assert html.count('<div class="plots">') == INLINE_TARGETS == 12
    links = set(re.findall(r'href="(plots/[^"]+)"', html))
    assert len(links) == 15 - INLINE_TARGETS
    assert all((tmp_path / link).read_text(encoding="utf-8").startswith("<svg") for link in links)
    assert "ROC curve of surprise/optimiser" in html


def test_hostile_text_is_escaped_everywhere(html: str, page: Page) -> None:
    assert html.count("<script") == 1
    assert f"<script>{SCRIPT}</script>" in html
    assert "&lt;script&gt;" in html
    assert "{{ 7*7 }}" in page.text
    assert not re.search("[\x00\u202e]", html)
    assert [attrs for tag, attrs in page.tags if tag == "script"] == [{}]


@pytest.mark.deep(keep=3)
@pytest.mark.parametrize("field", ["id", "title", "source", "statement", "effect", "repair", "replay", "accepted"])
def test_every_text_field_of_a_verdict_is_escaped(field: str, tmp_path: Path) -> None:
    name = f"a/<b onclick='x'>\"{field}" if field == "id" else "a/B-1"
    values = {field: '"><b onclick="x">'} if field != "id" else {}
    v = replace(run_folder.verdict(name, Kind.CLAIM, Outcome.REFUTED), **values)
    found = Page(page_of(tmp_path, [v]))
    assert "onclick" not in {key for _, attrs in found.tags for key in attrs}


def test_header_fields_are_escaped(tmp_path: Path) -> None:
    html = page_of(
        tmp_path,
        None,
        command="<script>x</script>",
        level="<u>",
        checkout={"commit": "<u>", "dirty": False, "dirty_digest": None},
    )
    assert html.count("<script") == 1
    assert "<u>" not in html


def test_nothing_is_fetched(html: str, page: Page) -> None:
    assert "http" not in html.replace("http-equiv", "")
    assert not re.search(r"url\((?!#)|@import|src=", html)
    assert {tag for tag, _ in page.tags}.isdisjoint({"link", "img", "iframe", "object", "embed"})
    policy = next(attrs["content"] for tag, attrs in page.tags if attrs.get("http-equiv"))
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    assert (
        policy
        == POLICY
        == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; form-action 'none'"
    )


def test_the_page_is_small(html: str) -> None:
    assert len(html.encode()) < 400_000


def test_a_run_of_the_size_of_five_papers_stays_below_two_megabytes(tmp_path: Path) -> None:
    words = "for all p in [2, oo); s in (0, 1]: " + "s*p**2 <= " * 12
    many = [run_folder.verdict(f"p{i % 5}/LEM-{i}", Kind.CLAIM, Outcome.PROVED, statement=words) for i in range(150)]
    steps = [replace(v, id=f"{v.id}/s{k}", kind=Kind.STEP) for v in many for k in range(1, 5)]
    mutants = [replace(v, id=f"{v.id}~m", kind=Kind.MUTANT, outcome=Outcome.REFUTED) for v in steps]
    assert len(page_of(tmp_path, [*many, *steps, *mutants, *run_folder.games()]).encode()) < 2_000_000


@pytest.mark.deep
def test_a_page_with_thousands_of_surprises_and_hundreds_of_plots_says_what_it_leaves_out(tmp_path: Path) -> None:
    hostile, long = run_folder.HOSTILE, run_folder.HOSTILE * 80
    wrong = [
        run_folder.verdict(f"p{i % 900}/<b>{i}", Kind.CLAIM, Outcome.REFUTED, Outcome.PROVED, title=hostile,
                           statement=long, detail=long, effect=long, witness=(("x", hostile),) * 30)
        for i in range(3_000)
    ]  # fmt: skip
    audits = [replace(run_folder.games()[2], id=f"many/{i}") for i in range(400)]
    scored = run_folder.write(tmp_path, audits[:1])
    audits = run_folder.with_digests(scored, audits)
    html = front_of(Run(scored, run_folder.header([*wrong, *audits]), (*wrong, *audits)))
    assert 100_000 < len(html.encode()) <= MOST_BYTES
    page = Page(html)
    assert "3400 of 3400 outcomes are not as expected" in page.text
    assert "Unexpected outcomes (3400)" in page.text
    assert "more in records.jsonl" in page.text
    assert "more characters in records.jsonl" in page.text
    assert html.count('<article class="finding wrong"') >= 6
    assert html.count('<div class="plots">') >= 1
    assert {href[1:] for href in page.values("href") if href.startswith("#")} <= set(page.values("id"))
    assert [tag for tag, _ in page.tags].count("script") == 1


@pytest.mark.deep
def test_the_same_records_give_the_same_bytes_in_any_process_and_folder(tmp_path: Path) -> None:
    code = "import sys; from pathlib import Path; from dpaudit.report.page.render import write_report\n"
    code += "write_report(Path(sys.argv[1]))"
    made = []
    for seed, name in (("0", "a"), ("7", "deeper/b")):
        folder = run_folder.write(tmp_path / name)
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", code, str(folder)], env=environment, check=True, cwd=tmp_path)
        files = [folder / "report.html", *sorted((folder / "plots").iterdir())]
        made.append([(file.name, file.read_bytes()) for file in files])
    assert len(made[0]) == 4
    assert made[0] == made[1]
    moved = (tmp_path / "a").rename(tmp_path / "c")
    assert write_report(moved).read_bytes() == made[0][0][1]


def test_a_page_without_a_surprise_says_so_and_names_what_is_refuted_as_expected(tmp_path: Path) -> None:
    listed = [v for v in ALL if v.as_expected]
    said = Page(page_of(tmp_path, listed)).text
    part = said[said.index("What failed") : said.index("How sure is it")]
    assert part.startswith("What failed Nothing unexpected. As expected, ")
    assert " false , and " in part
    assert part.rstrip().endswith(". These are known, and do not count as failures.")


def test_accepted_findings_have_their_own_section_and_are_no_surprises(tmp_path: Path) -> None:
    listed = [replace(v, accepted="until 2030-01-01: known & kept") if v.id == "srm/COR-6" else v for v in ALL]
    page = Page(page_of(tmp_path, listed))
    wrong = sum(not v.as_expected for v in ALL) - 1
    assert f"{wrong} of {len(ALL)} outcomes are not as expected, 1 more is accepted by a baseline" in page.text
    part = page.text[page.text.index("Accepted findings (1)") : page.text.index("Errata: statements")]
    assert "until 2030-01-01: known & kept" in part
    assert "srm/COR-6 : refuted (accepted; should be proved)" in part
    unexpected = page.text[page.text.index("Unexpected outcomes (5)") : page.text.index("Accepted findings (1)")]
    assert "srm/COR-6" not in unexpected
    quiet = [v for v in listed if not v.surprising]
    assert "outcomes are as expected or accepted by a baseline (1)" in Page(page_of(tmp_path / "quiet", quiet)).text


@pytest.mark.deep
def test_names_of_linked_files_and_texts_of_plots_are_escaped(tmp_path: Path) -> None:
    name = 'x/<b onclick="y">'
    path = "scores/<i>'\"&#?.json"
    game = run_folder.games()[2]
    many = [replace(game, id=f"{name}{i}", attachments=(path,)) for i in range(INLINE_TARGETS + 1)]
    rates_alone(run_folder.write(tmp_path, many))
    page = Page(write_report(tmp_path).read_text(encoding="utf-8"))
    assert "onclick" not in {key for _, attrs in page.tags for key in attrs}
    for folder in ("scores", "plots"):
        links = {href for href in page.values("href") if href.startswith(folder)}
        assert len(links) == 1
        assert (tmp_path / unquote(links.pop())).is_file()
    for file in (tmp_path / "plots").iterdir():
        assert "onclick" not in {key for element in ElementTree.parse(file).iter() for key in element.attrib}


def test_an_attachment_that_is_no_path_stays_a_relative_link(tmp_path: Path) -> None:
    v = run_folder.verdict("a/B-1", Kind.CLAIM, Outcome.PROVED, attachments=())
    run_folder.write(tmp_path, [v])
    attached = '"attachments": ["javascript:alert(1)"]'
    run_folder.edit(tmp_path / "records.jsonl", lambda line: line.replace('"attachments": []', attached))
    page = Page(write_report(tmp_path).read_text())
    assert "javascript%3Aalert%281%29" in page.values("href")
    assert not [href for href in page.values("href") if href.startswith("javascript:")]


def test_times_change_the_provenance_section_alone(html: str, tmp_path: Path) -> None:
    timed = [replace(v, duration_s=12.5 + place) for place, v in enumerate(ALL)]
    other = page_of(tmp_path, timed, started="2027-05-05T00:00:00+00:00", finished="2027-06-06T00:00:00+00:00")
    assert other != html
    start, end = '<section id="provenance"', "<footer>"
    assert other.split(start)[0] == html.split(start)[0]
    assert other.split(end)[1] == html.split(end)[1]
    assert not re.search(r"20\d\d-\d\d-\d\d", html.split(start)[0])


def test_the_provenance_shows_versions_ledger_and_durations(page: Page) -> None:
    part = page.text[page.text.rindex("Provenance") :]
    for words in ("versions.python 3.11.2", "hardware.system Linux", "checkout.dirty True", "versions.torch none"):
        assert words in part
    assert "0.001 over 4 statistical tests, 0.00025 each" in part
    assert "surprise/optimiser 1" in part


def test_an_empty_run_says_that_nothing_was_checked(tmp_path: Path) -> None:
    html = page_of(tmp_path, [])
    assert "Nothing was checked" in html
    assert "5 (nothing collected)" in html


@pytest.mark.parametrize("ending", [{"finished": None, "counts": None, "exit_code": None}, {"exit_code": 130}])
def test_a_run_that_did_not_finish_says_so(ending: dict[str, object], tmp_path: Path) -> None:
    html = page_of(tmp_path, [v for v in ALL if v.as_expected], **ending)
    assert "This run did not finish" in html
    assert "130 (interrupted)" in html


def test_the_exit_code_comes_from_the_verdicts_and_not_from_the_header(tmp_path: Path) -> None:
    assert "1 (refuted)" in page_of(tmp_path, None, exit_code=0)


@pytest.mark.parametrize("missing", [("jinja2",), ("jinja2", "markupsafe")], ids=" and ".join)
def test_without_jinja2_the_extra_is_named(
    missing: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in missing:  # markupsafe comes with jinja2, or from elsewhere
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingPackageError, match=r"jinja2 is not installed; run: pip install .* '.\[report\]'"):
        write_report(run_folder.write(tmp_path))
