"""Links of the pages of a report: each leads to the page that has its goal, or is text."""

from __future__ import annotations

from dpaudit.report.page.links import between, joined


def test_a_link_stays_leads_to_another_page_or_becomes_text() -> None:
    pages = {
        "report.html": '<p id="v-a/A">x</p><a href="#v-a/A">A</a> <a href="#v-a/B">B</a> <a href="#v-a/C">C</a>',
        "papers/a.html": '<p id="v-a/B">x</p><a href="#v-a/A">A</a> <a href="#v-b/D">D</a>',
        "papers/b.html": '<p id="v-b/D">x</p>',
    }
    found = joined(pages)
    front = '<a href="#v-a/A">A</a> <a href="papers/a.html#v-a/B">B</a> <code>C</code>'
    assert found["report.html"].endswith(front)
    assert found["papers/a.html"].endswith('<a href="../report.html#v-a/A">A</a> <a href="b.html#v-b/D">D</a>')
    assert found["papers/b.html"] == pages["papers/b.html"]


def test_a_goal_that_several_pages_have_is_looked_for_on_the_first() -> None:
    pages = {"report.html": '<p id="errata">', "papers/a.html": '<p id="errata">', "c.html": '<a href="#errata">e</a>'}
    assert joined(pages)["c.html"] == '<a href="report.html#errata">e</a>'


def test_a_node_of_a_graph_keeps_its_place_without_a_goal_and_its_class_with_one_elsewhere() -> None:
    node = '<svg><a class="node" href="#v-{}"><title>t</title></a></svg>'
    pages = {"report.html": node.format("gone") + node.format("there"), "papers/a.html": '<p id="v-there">'}
    found = joined(pages)["report.html"]
    assert found.startswith("<svg><g><title>t</title></g></svg>"), "which would end the drawing for a browser"
    assert '<a class="node" href="papers/a.html#v-there"><title>t</title></a>' in found


def test_addresses_between_pages() -> None:
    assert between("report.html", "papers/a.html") == "papers/a.html"
    assert between("papers/a.html", "report.html") == "../report.html"
    assert between("papers/a.html", "papers/b.html") == "b.html"
