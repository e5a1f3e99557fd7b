"""Serves a DocC archive to this machine and opens it in a browser.

serve.py FOLDER   The environment variable PORT is the port; the default is 8000.
"""

import functools
import http.server
import os
import sys
import webbrowser
from pathlib import Path


class ArchiveHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files. Pages without a file of their own get index.html, which decides what to show."""

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if self.path == "/":
            self.send_response(302)
            self.send_header("Location", "/documentation/heavylift")
            self.end_headers()
            return
        page = self.path.split("?")[0].startswith(("/documentation", "/tutorials"))
        if page and not path.is_file() and not (path / "index.html").is_file():
            self.path = "/index.html"
        super().do_GET()

    def log_message(self, *arguments):
        pass


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: serve.py FOLDER")
    port = int(os.environ.get("PORT", "8000"))
    handler = functools.partial(ArchiveHandler, directory=sys.argv[1])
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        sys.exit(f"documentation: port {port} cannot be used ({error.strerror}); choose another with PORT=8080")
    address = f"http://127.0.0.1:{server.server_port}/documentation/heavylift"
    print(f"documentation: {address} until Control-C", flush=True)
    try:
        webbrowser.open(address)
    except webbrowser.Error:
        pass
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    finally:
        server.server_close()


main()
