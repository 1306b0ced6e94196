"""Certificates for a daemon of msMonitor and its clients, made by openssl: a folder as --certs-dir of both takes it."""

import os
import ssl
import subprocess

_EXTENSIONS = {"ca": "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n",
               "server": "basicConstraints=CA:FALSE\nkeyUsage=digitalSignature,keyEncipherment\nextendedKeyUsage=serverAuth\n",
               "client": "basicConstraints=CA:FALSE\nkeyUsage=digitalSignature,keyEncipherment\nextendedKeyUsage=clientAuth\n"}


def openssl(*words, text=None):
    subprocess.run(["openssl", *words], check=True, input=text, stdin=None if text else subprocess.DEVNULL, capture_output=True, text=True)


class Authority:
    """Issues certificates, each a name.key and name.crt in `folder`, whose ca.crt is its own."""

    def __init__(self, folder, name="Test CA"):
        self.folder = folder
        os.makedirs(folder)
        self.sign("ca", "ca", name)

    def path(self, name):
        return os.path.join(self.folder, name)

    def sign(self, name, kind, subject, days=30, names=None, password=None, rsa=None):
        """A key and what the authority says of it. `days` may be negative: it has expired then."""
        algorithm = ["-algorithm", "RSA", "-pkeyopt", f"rsa_keygen_bits:{rsa}"] if rsa else ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
        openssl("genpkey", *algorithm, "-out", self.path(name + ".key"), *(["-aes256", "-pass", "pass:" + password] if password else []))
        os.chmod(self.path(name + ".key"), 0o600)
        secret = ["-passin", "pass:" + password] if password else []
        openssl("req", "-new", "-key", self.path(name + ".key"), *secret, "-subj", "/CN=" + subject, "-out", self.path(name + ".csr"))
        with open(self.path("extensions"), "w", encoding="utf-8") as file:
            file.write(_EXTENSIONS[kind] + (f"subjectAltName={names}\n" if names else ""))
        issuer = ["-signkey", self.path("ca.key")] if name == "ca" else ["-CA", self.path("ca.crt"), "-CAkey", self.path("ca.key"), "-CAcreateserial"]
        openssl("x509", "-req", "-in", self.path(name + ".csr"), *issuer, "-days", str(days), "-sha256", "-extfile", self.path("extensions"),
                "-out", self.path(name + ".crt"))

    def revoke(self, *names):
        """Writes ca.crl."""
        with open(self.path("index"), "w", encoding="utf-8") as file:
            for name in names:
                shown = subprocess.run(["openssl", "x509", "-in", self.path(name + ".crt"), "-noout", "-serial"], check=True, capture_output=True,
                                       text=True).stdout
                file.write(f"R\t400101000000Z\t260101000000Z\t{shown.strip().partition('=')[2]}\tunknown\t/CN={name}\n")
        with open(self.path("ca.conf"), "w", encoding="utf-8") as file:
            file.write(f"[ca]\ndefault_ca=own\n[own]\ndatabase={self.path('index')}\ndefault_md=sha256\n")
        openssl("ca", "-config", self.path("ca.conf"), "-gencrl", "-cert", self.path("ca.crt"), "-keyfile", self.path("ca.key"), "-crldays", "30",
                "-out", self.path("ca.crl"))

    def server(self, name="server", version=ssl.TLSVersion.TLSv1_3, clients=None):
        """What a daemon with that certificate takes: clients of the authority, or of another one."""
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.minimum_version = ssl.TLSVersion.TLSv1_2
        tls.maximum_version = version
        tls.load_cert_chain(self.path(name + ".crt"), self.path(name + ".key"))
        tls.verify_mode = ssl.CERT_REQUIRED
        tls.load_verify_locations((clients or self).path("ca.crt"))
        return tls
