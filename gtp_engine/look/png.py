"""PNG from SVG, by the optional library resvg-py."""

from gtp_engine.extras import how_to_install
from gtp_engine.look.svg import FONTS


class NoPng(Exception):
    """The library is not installed; the text says how to install it."""


def png(svg: str, width: int | None = None) -> bytes:
    """The picture as PNG, by default at twice its size. Raises NoPng."""
    try:
        import resvg_py
    except ImportError:
        raise NoPng(f"PNG pictures need resvg-py: {how_to_install('png')}") from None
    zoom = None if width else 2
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, zoom=zoom))


def has_fonts() -> bool:
    """Whether PNG pictures can show letters: that needs a font."""
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{}</svg>'
    written = svg.format(f'<text y="18" font-family="{FONTS}">A</text>')
    return png(svg.format("")) != png(written)
