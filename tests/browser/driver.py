"""A browser without a window, driven through chromedriver's HTTP interface. Python's own library is all it needs."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Failure(Exception):
    """Something is not as the test expects it."""


def find_program(*names):
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    return None


class Browser:
    """A chromium of its own, with a profile that is thrown away."""

    def __init__(self, width=1280, height=860):
        self.folder = tempfile.mkdtemp(prefix="tengen-browser-")
        driver = find_program("chromedriver")
        self.driver = subprocess.Popen(
            [driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.base = None
        for line in self.driver.stdout:
            if "on port" in line:
                port = line.strip().rstrip(".").split()[-1]
                if port.isdigit() and port != "0":
                    self.base = f"http://127.0.0.1:{port}"
                    break
        if not self.base:
            raise Failure("chromedriver does not start")
        options = {
            "binary": find_program("chromium", "chromium-browser", "google-chrome"),
            "args": [
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--force-color-profile=srgb",
                f"--window-size={width},{height}",
                f"--user-data-dir={self.folder}",
            ],
        }
        wanted = {"capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options}}}
        self.session = self.call("POST", "/session", wanted, whole=True)["sessionId"]
        self.resize(width, height)

    def call(self, method, path, body=None, whole=False):
        url = self.base + (path if whole else f"/session/{self.session}{path}")
        data = None if method == "GET" or method == "DELETE" else json.dumps(body or {}).encode()
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            told = json.load(error)["value"]
            raise Failure(f"{told.get('error')}: {told.get('message', '')[:300]}") from None

    def close(self):
        try:
            self.call("DELETE", "")
        except Exception:
            pass
        self.driver.terminate()
        self.driver.wait(timeout=10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def devtools(self, name, **params):
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": params})

    def resize(self, width, height, scale=1, mobile=False):
        self.devtools(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=mobile
        )

    def color_scheme(self, name):
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    def reload(self):
        self.call("POST", "/refresh")

    def run(self, script, *args):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(args)})

    def run_later(self, script, *args):
        """A script that calls its last argument when it is done."""
        return self.call("POST", "/execute/async", {"script": script, "args": list(args)})

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? null", selector)

    def wait(self, what, script, *args, seconds=30):
        """Waits until a script gives something true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.run(script, *args)
            if found:
                return found
            time.sleep(0.05)
        raise Failure(f"waited {seconds} s for: {what}; the status is {self.text('#status')!r}")

    def click(self, selector):
        found = self.call("POST", "/element", {"using": "css selector", "value": selector})
        self.call("POST", f"/element/{found[ELEMENT]}/click")

    def upload(self, selector, path):
        """Chooses a file of this computer in a file input."""
        found = self.call("POST", "/element", {"using": "css selector", "value": selector})
        self.call("POST", f"/element/{found[ELEMENT]}/value", {"text": str(path)})

    def downloads_to(self, folder):
        self.devtools("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def drop(self, path, x, y):
        """Drags a file of this computer onto the page, as the desktop does it."""
        data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.devtools("Input.dispatchDragEvent", type=kind, x=round(x), y=round(y), data=data)

    def key(self, key):
        actions = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def pointer(self, x, y, click):
        actions = [{"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}]
        if click:
            actions += [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        source = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}
        self.call("POST", "/actions", {"actions": [source]})

    def tab(self):
        return self.call("GET", "/window")

    def new_tab(self):
        handle = self.call("POST", "/window/new", {"type": "tab"})["handle"]
        self.switch(handle)
        return handle

    def switch(self, handle):
        self.call("POST", "/window", {"handle": handle})

    def close_tab(self):
        self.call("DELETE", "/window")

    def screenshot(self, path):
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def errors(self):
        """What the page complained about on its console."""
        entries = self.call("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]
