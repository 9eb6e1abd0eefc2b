"""What a page holds, read as a browser would: elements with their attributes and text."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

_VOID: Final = frozenset({"meta", "link", "br", "input", "img", "hr"})


@dataclass
class Element:
    """An element; ``text`` is its own and its children's."""

    tag: str
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)
    text: str = ""

    def all(self, tag: str = "", **attributes: str) -> list["Element"]:
        """Every element below with this tag and these attributes (``class_`` for one of its classes)."""
        found = []
        for child in self.children:
            if child.matches(tag, attributes):
                found.append(child)
            found += child.all(tag, **attributes)
        return found

    def one(self, tag: str = "", **attributes: str) -> "Element":
        """The only such element below."""
        found = self.all(tag, **attributes)
        assert len(found) == 1, f"{len(found)} of {tag} {attributes}"
        return found[0]

    def matches(self, tag: str, attributes: dict[str, str]) -> bool:
        if tag and tag != self.tag:
            return False
        for name, value in attributes.items():
            if name == "class_":
                if value not in self.attributes.get("class", "").split():
                    return False
            elif self.attributes.get(name.replace("_", "-")) != value:
                return False
        return True


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.text += data


def parse(html: str) -> Element:
    """The document; fails where elements are not closed in order."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    assert builder.open == [builder.root], f"{builder.open[-1].tag} is not closed"
    return builder.root


def marks(page: Element, road: str) -> list[tuple[int, int, str]]:
    """Row, column and mark of every cell of one road, as drawn, in the order of drawing; pairs and ties left out."""
    drawing = page.one("svg", data_road=road)
    found = []
    for use in drawing.all("use"):
        kind, _, mark = use.attributes["href"].removeprefix("#").partition("-")
        if kind == road or (road == "bead" and kind == "hole"):
            found.append((*place(use), mark or "?"))
    return found


def placed(page: Element, road: str, href: str) -> set[tuple[int, int]]:
    """The cells of a road on which a shape lies."""
    return {place(use) for use in page.one("svg", data_road=road).all("use", href=href)}


def place(use: Element) -> tuple[int, int]:
    """Row and column of a shape."""
    return int(use.attributes["y"]) // 20, int(use.attributes["x"]) // 20
