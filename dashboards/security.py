"""Strict security headers on every answer, errors and streams too: nothing inline, nothing from elsewhere."""

from typing import Any, Final

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; "
    "base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types board"
)
FRAMING: Final = f"{POLICY}; frame-src 'self'"
"""Of the page that shows a display in a frame."""
FRAMED: Final = POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
"""Of the display in it."""
_OTHERS: Final = [
    (name.encode(), value.encode())
    for name, value in {
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
    }.items()
]


def headers(path: str) -> list[tuple[bytes, bytes]]:
    """The security headers of an answer."""
    policy = FRAMING if path == "/screens" else FRAMED if path.startswith("/screens/") else POLICY
    return [(b"content-security-policy", policy.encode()), *_OTHERS]


PAST_WRAPPERS: Final = "beadplate.send"
"""In a scope: the server's own ``send``. What stands around the application looks at the start of an answer alone, so a
stream that has begun need not pass through all of it with every frame for every viewer.
"""


class SecurityHeaders:
    """Stands around the whole application. Plain ASGI: Starlette's own base would buffer between stream and viewer."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer as the application does, with the headers."""

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *headers(scope["path"])]
            await send(message)

        if scope["type"] == "http":
            await self._app({**scope, PAST_WRAPPERS: send}, receive, with_headers)
        else:
            await self._app(scope, receive, send)
