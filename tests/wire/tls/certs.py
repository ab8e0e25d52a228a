"""certs.py - keys and certificates for the tests, made with openssl as in port/tls/README.md."""
import pathlib
import subprocess

# The third is a name that the official suite calls a server by, to be refused by the server and not by the client.
NAMES = ("subjectAltName=DNS:localhost,DNS:pump.local,DNS:evil.example.com,IP:127.0.0.1\n"
         "basicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n")


def openssl(*words, **more):
    done = subprocess.run(["openssl", *map(str, words)], capture_output=True, **more)
    if done.returncode != 0:
        raise RuntimeError(f"openssl {' '.join(map(str, words))}: {done.stderr.decode()}")
    return done.stdout


class Folder:
    """ca.pem, device.pem and device.key, and identity.bin for a board; more on demand."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.authority("ca")
        self.certificate("device", "ca")
        self.identity("identity.bin", "device", ["device"])

    def path(self, name):
        return str(self.folder / name)

    def key(self, name, curve="prime256v1"):
        openssl("ecparam", "-name", curve, "-genkey", "-noout", "-out", self.path(name))
        (self.folder / name).chmod(0o600)

    def authority(self, name, days=30):
        self.key(f"{name}.key")
        openssl("req", "-x509", "-new", "-key", self.path(f"{name}.key"), "-days", days, "-subj", f"/CN={name} of the tests",
                "-out", self.path(f"{name}.pem"))

    def certificate(self, name, signer, days=20, key=None, extensions=NAMES, dates=()):
        """NAME.pem, for NAME.key unless another is given; signed by SIGNER. dates: when it begins and ends."""
        if key is None:
            key = f"{name}.key"
            self.key(key)
        openssl("req", "-new", "-key", self.path(key), "-subj", f"/CN={name}", "-out", self.path(f"{name}.csr"))
        (self.folder / "extensions").write_text(extensions)
        if dates:
            return self.dated(name, signer, *dates)
        openssl("x509", "-req", "-in", self.path(f"{name}.csr"), "-CA", self.path(f"{signer}.pem"), "-CAkey",
                self.path(f"{signer}.key"), "-CAcreateserial", "-days", days, "-extfile", self.path("extensions"), "-out",
                self.path(f"{name}.pem"))
        return None

    def dated(self, name, signer, begin, end):
        """Only `openssl ca` can say when a certificate begins, and it wants a folder to keep books in."""
        (self.folder / "index.txt").write_text("")
        (self.folder / "ca.conf").write_text(
            f"[ca]\ndefault_ca=it\n[it]\ndatabase={self.path('index.txt')}\nnew_certs_dir={self.folder}\ndefault_md=sha256\n"
            "rand_serial=yes\npolicy=any\n[any]\ncommonName=supplied\n")
        openssl("ca", "-batch", "-notext", "-config", self.path("ca.conf"), "-in", self.path(f"{name}.csr"), "-cert",
                self.path(f"{signer}.pem"), "-keyfile", self.path(f"{signer}.key"), "-startdate", begin, "-enddate", end,
                "-extfile", self.path("extensions"), "-out", self.path(f"{name}.pem"))

    def identity(self, name, key, certificates):
        """What a board has in flash: the key and the certificates in DER, one after the other."""
        parts = [openssl("ec", "-in", self.path(f"{key}.key"), "-outform", "DER")]
        parts += [openssl("x509", "-in", self.path(f"{c}.pem"), "-outform", "DER") for c in certificates]
        (self.folder / name).write_bytes(b"".join(parts))
