"""A small server of the test: it has a thread for each connection."""

from __future__ import annotations

import contextlib
import socket
import threading
from abc import ABC, abstractmethod

from network import Network


class Service(ABC):
    """A server in this process, at a port of some host."""

    def __init__(self, network: Network, host: str, port: int) -> None:
        self.network, self.host, self.port = network, host, port
        self.listener: socket.socket | None = None
        self.links: list[socket.socket] = []

    @abstractmethod
    def serve(self, link: socket.socket) -> None:
        """Serves a caller until either side ends; connections to others belong into `links`."""

    def start(self) -> None:
        with self.network.on(self.host):
            self.listener = socket.create_server(("0.0.0.0", self.port))
        threading.Thread(target=self._accept, args=(self.listener,), daemon=True).start()

    def stop(self) -> None:
        """Ends the server with all connections."""
        if self.listener is not None:
            # Wakes the thread that waits for callers.
            self.listener.shutdown(socket.SHUT_RDWR)
            self.listener.close()
        for link in self.links:
            # Its thread closes it, and may have done so.
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)
        self.listener, self.links = None, []

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                link = listener.accept()[0]
                self.links.append(link)
                threading.Thread(target=self._serve, args=(link,), daemon=True).start()

    def _serve(self, link: socket.socket) -> None:
        # An end of either side ends both.
        with contextlib.suppress(OSError, EOFError), link:
            self.serve(link)
