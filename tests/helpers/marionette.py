"""A Firefox that a test drives over Marionette, the protocol below WebDriver: messages `length:JSON` on a socket.

https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
"""

import json
import socket
import subprocess
import time
from pathlib import Path

FIREFOX = Path("/usr/bin/firefox-esr")
FLAGS = ("--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--new-instance")
PREFERENCES = {  # a free port; nothing that asks the network for anything; no page of its own; no processes in reserve
    "marionette.port": 0,
    "app.normandy.enabled": False,
    "browser.newtab.preload": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.ipc.processCount": 1,
    "dom.ipc.processPrelaunch.enabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
}
START_SECONDS = 60
MESSAGES = """
    return Services.console.getMessageArray().filter(m => m instanceof Ci.nsIScriptError)
        .filter(m => m.sourceName.startsWith(arguments[0]) || m.category.includes('CSP')).map(m => m.errorMessage)"""


class Firefox:
    """One window of a Firefox with a profile of its own."""

    def __init__(self, profile: Path) -> None:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        (profile / "user.js").write_text("\n".join(lines))
        command = [FIREFOX, *FLAGS, "--profile", profile]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.socket = socket.create_connection(("127.0.0.1", self._port(profile)), timeout=START_SECONDS)
            self._receive()  # its greeting
            self.send("WebDriver:NewSession", {})
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise

    def _port(self, profile: Path) -> int:
        """The port that Firefox writes into its profile once it listens."""
        written, end = profile / "MarionetteActivePort", time.monotonic() + START_SECONDS
        while not (written.exists() and written.read_text().strip()):
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError(f"{FIREFOX} does not listen; it ended with {self.process.poll()}")
            time.sleep(0.05)
        return int(written.read_text())

    def _receive(self) -> list:
        text = b""
        while not text.endswith(b":"):
            text += self.socket.recv(1)
        length, body = int(text[:-1]), b""
        while len(body) < length:
            body += self.socket.recv(length - len(body))
        return json.loads(body)

    def send(self, command: str, parameters: dict) -> dict:
        """What a command of WebDriver answers; an error if it fails."""
        message = json.dumps([0, 1, command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._receive()
        if error:
            raise RuntimeError(f"{command}: {error['error']}: {error['message']}")
        return result

    def go(self, address: str) -> None:
        self.send("WebDriver:Navigate", {"url": address})

    def evaluate(self, script: str, *arguments: object) -> object:
        """The value that a script returns."""
        return self.send("WebDriver:ExecuteScript", {"script": script, "args": list(arguments)})["value"]

    def wait_for(self, expression: str, seconds: float = 60) -> object:
        """The value of an expression, once it is true."""
        end = time.monotonic() + seconds
        while not (value := self.evaluate(f"return {expression}")):
            if time.monotonic() > end:
                raise TimeoutError(f"not true after {seconds} s: {expression}")
            time.sleep(0.05)
        return value

    def errors(self, address: str) -> list:
        """What the browser's console has of a page, and refusals of any policy."""
        self.send("Marionette:SetContext", {"value": "chrome"})
        try:
            return self.evaluate(MESSAGES, address)
        finally:
            self.send("Marionette:SetContext", {"value": "content"})

    def close(self) -> None:
        self.socket.close()
        self.process.terminate()
        self.process.wait()
