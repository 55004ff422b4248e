"""From a function that draws with matplotlib to SVG text: same numbers in, same bytes out.

Neutral ink is `currentColor`, so that a picture follows the light or dark page around it; the hues keep a contrast of
3:1 on both. Nothing is told by colour alone: every series has its own line style or marker.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal
from xml.etree import ElementTree

from dpaudit.records.errors import MissingPackageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

INK = "#000000"  # becomes currentColor
MEASURED = "#3a7fc4"
CLAIMED = "#c9661a"
REFUTED = "#d1483f"
QUIET = "#808080"
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "{http://www.w3.org/1999/xlink}"
_NUMBERS = {"d", "x", "y", "points", "transform", "viewBox", "width", "height"}
"""Attributes whose numbers are coordinates: a tenth of a point is finer than any screen."""


def picture(draw: Callable[[Figure], None], size: tuple[float, float], title: str, description: str) -> str:
    """Run `draw` on a fresh figure of `size` inches; clean SVG, named and described for those who cannot see it.

    MissingPackageError without matplotlib.
    """
    try:
        import matplotlib
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingPackageError("matplotlib", "report") from error
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # a user's matplotlibrc must not change the bytes of a report
        matplotlib.rcParams.update({"svg.hashsalt": "dpaudit", "svg.fonttype": "none", "font.size": 8})
        matplotlib.rcParams.update({"axes.linewidth": 0.6, "xtick.major.width": 0.6, "ytick.major.width": 0.6})
        # Where the title stands: matplotlib would measure every label to find that out, a third of the time.
        matplotlib.rcParams["axes.titley"] = 1.0
        figure = Figure(figsize=size)
        FigureCanvasSVG(figure)
        draw(figure)
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    return _clean(buffer.getvalue(), title, description)


def together(pictures: Sequence[str], title: str) -> str:
    """One SVG document with `pictures`, all of one size, in rows of two; a light ground of its own, for files."""
    if not pictures:
        raise ValueError("a file of plots needs at least one picture")
    width, height = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', pictures[0])[0])
    placed = [
        one.replace("<svg ", f'<svg x="{place % 2 * width:g}" y="{24 + place // 2 * height:g}" '
                    f'width="{width:g}" height="{height:g}" ', 1)
        for place, one in enumerate(pictures)
    ]  # fmt: skip
    across, down = width * min(len(pictures), 2), 24 + height * ((len(pictures) + 1) // 2)
    name, heading = ElementTree.Element("title"), ElementTree.Element("text", {"x": "12", "y": "17", "font-size": "11"})
    name.text = heading.text = title
    words = "".join(ElementTree.tostring(one, encoding="unicode") for one in (name, heading))
    return (
        f'<svg xmlns="{_SVG}" viewBox="0 0 {across:g} {down:g}" color="#1b1f24" fill="currentColor" '
        f'font-family="system-ui, sans-serif"><rect width="100%" height="100%" fill="#ffffff"/>{words}'
        f"{''.join(placed)}</svg>\n"
    )


def axes_in(figure: Figure, place: tuple[float, float, float, float] = (0.155, 0.14, 0.795, 0.79)) -> Axes:
    """Axes at `place` (left, bottom, width, height, shares of the figure) with a quiet grid and no frame."""
    axes = figure.add_axes(place)
    axes.patch.set_visible(False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(bottom=False, left=False)
    axes.grid(visible=True, color=QUIET, alpha=0.25, linewidth=0.5)
    axes.set_axisbelow(True)
    return axes


def log_axis(axis: Axis) -> None:
    """A logarithmic axis with plain numbers at the powers of ten."""
    from matplotlib.ticker import FuncFormatter, NullLocator

    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))  # no mathtext: plain words
    axis.set_minor_locator(NullLocator())


def legend(axes: Axes, place: Literal["lower right", "upper right"]) -> None:
    """The legend, without frame and without reading dollar signs as formulas."""
    made = axes.legend(loc=place, frameon=False, fontsize=7, handlelength=2.2, borderaxespad=0.4)
    for text in made.get_texts():
        text.set_parse_math(False)


def _clean(text: str, title: str, description: str) -> str:
    """Drop what no reader sees, name the picture, and make the ids unique on a page."""
    ElementTree.register_namespace("", _SVG)
    root = ElementTree.fromstring(text.encode())
    _drop(root)
    used = set(re.findall(r"(?:url\(#|href=\"#)([^)\"]+)", ElementTree.tostring(root, encoding="unicode")))
    prefix = f"p{hashlib.sha256((title + text).encode()).hexdigest()[:8]}-"
    short = {name: f"{prefix}{place}" for place, name in enumerate(sorted(used))}
    for element in root.iter():
        _rename(element, short)
        for key in element.attrib:
            if key in _NUMBERS:
                element.set(key, _rounded(element.attrib[key]))
        if element.get("transform") == "":
            del element.attrib["transform"]
        if "style" in element.attrib:
            element.set("style", re.sub(r"font-family: [^;]*;? ?|(?<=[;:]) ", "", element.attrib["style"]))
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    root.attrib.update({"role": "img", "aria-labelledby": f"{prefix}t {prefix}d", "fill": "currentColor"})
    root.attrib.update({"stroke-linejoin": "round", "font-family": "system-ui, sans-serif"})
    for place, (tag, words) in enumerate((("title", title), ("desc", description))):
        element = ElementTree.Element(f"{{{_SVG}}}{tag}", {"id": prefix + tag[0]})
        element.text = words
        root.insert(place, element)
    body = ElementTree.tostring(root, encoding="unicode")
    return re.sub(r">\s+<", "><", body).replace(INK, "currentColor")


def _drop(parent: ElementTree.Element) -> None:
    """Without metadata, styles that would reach the whole page, and groups that only wrap."""
    kept: list[ElementTree.Element] = []
    for child in parent:
        tag = child.tag.rpartition("}")[2]
        _drop(child)
        if set(child.attrib) <= {"id"} and tag == "g":
            kept += list(child)
        elif tag not in {"metadata", "style"} and not (tag == "defs" and not len(child)):
            kept.append(child)
    parent[:] = kept


def _rounded(text: str) -> str:
    text = re.sub(r"-?\d+\.\d+", lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), text)
    return re.sub(r"rotate\(-0 [^)]*\)", "", re.sub(r"\s+", " ", text)).strip()


def _rename(element: ElementTree.Element, short: dict[str, str]) -> None:
    name = element.attrib.pop("id", None)
    if name in short:
        element.set("id", short[name])
    for key, value in list(element.attrib.items()):
        if key == f"{_XLINK}href":
            del element.attrib[key]
            element.set("href", f"#{short[value[1:]]}")
        elif key == "clip-path":
            element.set(key, f"url(#{short[value[5:-1]]})")
