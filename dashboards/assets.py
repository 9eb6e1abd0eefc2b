"""Static files under content-hashed addresses, and the build id: which code, templates and files this page is of."""

import functools
import hashlib
from pathlib import Path
from typing import Any, Final

from starlette.responses import Response
from starlette.staticfiles import StaticFiles

HERE: Final = Path(__file__).parent
STATIC: Final = HERE / "static"
_SHOWN: Final = ("*.py", "views/*.py", "templates/*.html", "translations/*.po", "static/*")


@functools.cache
def address(name: str) -> str:
    """The address of a static file, which changes when the file does."""
    return f"/static/{name}?v={hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]}"


@functools.cache
def build_id() -> str:
    """A hash of everything that makes a picture; a browser with another one loads the page anew."""
    digest = hashlib.sha256()
    for pattern in _SHOWN:
        for path in sorted(HERE.glob(pattern)):
            if path.is_file():
                digest.update(f"{path.relative_to(HERE)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:12]


class Assets(StaticFiles):
    """``/static/board.js?v=<hash>`` never changes and is kept for ever; any other address is asked again (ETag)."""

    def file_response(self, full_path: Any, stat_result: Any, scope: Any, status_code: int = 200) -> Response:
        """The file with its caching rule."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        wanted = address(Path(full_path).name).partition("?")[2]
        fixed = scope["query_string"].decode("latin-1") == wanted
        response.headers["cache-control"] = "public, max-age=31536000, immutable" if fixed else "no-cache"
        return response
