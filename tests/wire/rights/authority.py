"""authority.py - an authorization server's key, and access tokens that it signs with ES256, by openssl."""

import base64
import json
import pathlib
import subprocess
import time

ISSUER, RESOURCE = "https://login.example", "https://pump.example/mcp"


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def openssl(*words, **more):
    return subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, **more).stdout


def numbers_of(der):
    """r and s of a signature, 32 bytes each: a sequence of two integers."""
    found, at = b"", 2
    for _ in range(2):
        n = der[at + 1]
        found += der[at + 2:at + 2 + n].lstrip(b"\0").rjust(32, b"\0")
        at += 2 + n
    return found


class Authority:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.key = self.folder / "authority.key"
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self.key)
        point = openssl("pkey", "-in", self.key, "-pubout", "-outform", "DER")[-64:]
        key = {"kty": "EC", "crv": "P-256", "kid": "k", "x": encoded(point[:32]), "y": encoded(point[32:])}
        (self.folder / "jwks.json").write_text(json.dumps({"keys": [key]}))

    def options(self):
        return "--oauth-issuer", ISSUER, "--oauth-keys", str(self.folder / "jwks.json"), "--oauth-resource", RESOURCE

    def token(self, sub, scope):
        header = {"alg": "ES256", "kid": "k", "typ": "at+jwt"}
        claims = {"iss": ISSUER, "aud": RESOURCE, "sub": sub, "exp": int(time.time()) + 86400, "scope": scope}
        text = ".".join(encoded(json.dumps(part).encode()) for part in (header, claims))
        return f"{text}.{encoded(numbers_of(openssl('dgst', '-sha256', '-sign', self.key, input=text.encode())))}"
