"""Media at an http or https URL, read by ranges with the standard library."""

from __future__ import annotations

import base64
import http.client
import ipaddress
import re
import socket
import threading
from urllib.parse import unquote, urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

from .errors import ContentIsUnavailableError

__all__ = ["HTTPBytes", "is_http"]

_REDIRECTS = (301, 302, 303, 307, 308)
#: The seconds within which a server has to answer, and to continue.
_PATIENCE = 30.0
#: The range of the first request: its answer shows whether the server supports ranges, and the file's length.
_FIRST = 64 << 10
#: IPv4 addresses in IPv6 (RFC 6052).
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")


def is_http(url: str) -> bool:
    """True if a URL is an http or https one."""
    return url.lower().startswith(("http://", "https://"))


def _is_internal(text: str) -> bool:
    """True for addresses that the internet doesn't have: of this machine, of private networks, of links (RFC 6890)."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        mapped = address.ipv4_mapped
        if mapped is None and address in _TRANSLATED:
            mapped = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        address = mapped or address
    site = isinstance(address, ipaddress.IPv6Address) and address.is_site_local
    return site or address.is_multicast or not address.is_global


def _is_inside(url: str) -> bool:
    """True if a URL's host has such an address; false where the system finds none."""
    parts = urlsplit(url)
    try:
        found = socket.getaddrinfo(parts.hostname or "", parts.port, type=socket.SOCK_STREAM)
    except (OSError, ValueError):
        return False
    return any(_is_internal(str(entry[4][0])) for entry in found)


class HTTPBytes:
    """The content of a URL: by ranges if the server supports them, otherwise in order.

    Connections are kept, one for each read at a time. Redirects are followed once, and none from the
    internet to this machine or a private network; a proxy is that of the environment.
    """

    is_immediate = False

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._idle: list[http.client.HTTPConnection] = []
        self._stream: http.client.HTTPResponse | None = None
        self._tag: str | None = None
        #: A server of the internet must not have this machine ask others that it can't reach itself.
        self._may_be_internal = _is_inside(url)
        connection, answer = self._start()
        parts = urlsplit(self._url)
        self.name = f"{parts.scheme}://{parts.hostname}{parts.path}"
        self._first = b""
        self.length: int | None
        if answer.status == 206:
            self.is_random_access = True
            self.length = self._total(answer)
            tag = answer.getheader("ETag")
            # A strong one of plain characters (RFC 9110, 8.8.3).
            self._tag = tag if tag and re.fullmatch(r'"[!#-~]*"', tag) else None
            try:
                self._first = self._exactly(answer, min(_FIRST, self.length))
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                raise self._unavailable(str(error) or type(error).__name__) from error
            self._idle.append(connection)
        else:
            self.is_random_access = False
            stated = answer.getheader("Content-Length")
            self.length = int(stated) if stated and stated.isdigit() else None
            self._stream = answer
            self._idle.append(connection)

    def _start(self) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        for _ in range(10):
            try:
                connection, answer = self._ask(0, _FIRST)
            except (OSError, http.client.HTTPException) as error:
                raise self._unavailable(str(error) or type(error).__name__) from error
            if answer.status in (200, 206):
                return connection, answer
            connection.close()
            target = answer.getheader("Location")
            if answer.status == 416:  # Nothing is in a range of an empty file.
                raise self._unavailable("it is empty")
            if answer.status not in _REDIRECTS or not target:
                raise self._unavailable(f"the server answers {answer.status} {answer.reason}")
            target = urljoin(self._url, target)
            if not is_http(target):
                raise self._unavailable(f"it is redirected to {target}")
            if not self._may_be_internal and _is_inside(target):
                raise self._unavailable(
                    f"it is redirected to {urlsplit(target).hostname!r}, which is in a private network"
                )
            self._url = target
        raise self._unavailable("it is redirected again and again")

    def _unavailable(self, reason: str) -> ContentIsUnavailableError:
        return ContentIsUnavailableError(
            f"{self._url!r} can't be opened: {reason}", code=-11863, hint="Check the URL."
        )

    def _connect(self) -> http.client.HTTPConnection:
        parts = urlsplit(self._url)
        host = parts.hostname or ""
        is_secure = parts.scheme == "https"
        kind = http.client.HTTPSConnection if is_secure else http.client.HTTPConnection
        proxy = getproxies().get(parts.scheme)
        if not proxy or proxy_bypass(host):
            connection = kind(host, parts.port, timeout=_PATIENCE)
            connection.connect()
            # The name may lead elsewhere than when it was looked up.
            if not self._may_be_internal and _is_internal(connection.sock.getpeername()[0]):
                connection.close()
                raise OSError(f"{host!r} is in a private network now")
            return connection
        way = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        connection = kind(way.hostname or "", way.port, timeout=_PATIENCE)
        if is_secure:
            connection.set_tunnel(host, parts.port)
        return connection

    def _ask(
        self, offset: int, length: int
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        """Asks for a range; on a new connection where an idle one has been closed meanwhile."""
        parts = urlsplit(self._url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        if parts.scheme == "http" and getproxies().get("http") and not proxy_bypass(
            parts.hostname or ""
        ):
            target = f"http://{parts.netloc.rpartition('@')[2]}{target}"
        headers = {
            "Range": f"bytes={offset}-{offset + length - 1}",
            # Ranges are of the stored bytes, so the answer must not be encoded.
            "Accept-Encoding": "identity",
            "User-Agent": "reelwire",
        }
        if self._tag:
            headers["If-Range"] = self._tag
        if parts.username is not None:
            user = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            headers["Authorization"] = "Basic " + base64.b64encode(user.encode()).decode()
        while True:
            with self._lock:
                idle = self._idle.pop() if self._idle else None
            connection = idle or self._connect()
            try:
                connection.request("GET", target, headers=headers)
                return connection, connection.getresponse()
            except (OSError, http.client.HTTPException):
                connection.close()
                if idle is None:
                    raise

    @staticmethod
    def _total(answer: http.client.HTTPResponse) -> int:
        total = (answer.getheader("Content-Range") or "").rpartition("/")[2]
        if not total.isdigit():
            raise ContentIsUnavailableError(
                "the server doesn't say how long the file is",
                code=-11863,
                hint="Download the file first.",
            )
        return int(total)

    @staticmethod
    def _exactly(answer: http.client.HTTPResponse, length: int) -> bytes:
        """The bytes of an answer, limited to the requested number: a server may send more, without an end."""
        data = answer.read(length + 1)
        if len(data) > length:
            raise OSError(f"the server sends more than the {length} bytes that were asked for")
        if len(data) < length:
            raise OSError(f"the server sends {len(data)} bytes instead of {length}")
        return data

    def read(self, offset: int, length: int) -> bytes:
        if self._stream is not None:
            return self._stream.read1(length) if length else b""
        if offset + length <= len(self._first):
            return self._first[offset : offset + length]
        connection, answer = self._ask(offset, length)
        if answer.status != 206 or self._total(answer) != self.length:
            connection.close()
            changed = answer.status in (200, 206)
            raise OSError(
                "the file on the server has changed"
                if changed
                else f"the server answers {answer.status} {answer.reason}"
            )
        try:
            data = self._exactly(answer, length)
        except (OSError, http.client.HTTPException):
            connection.close()
            raise
        with self._lock:
            self._idle.append(connection)
        return data

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()
        self._first = b""
