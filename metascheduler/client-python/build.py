#!/usr/bin/env python3
"""Builds the wheel and the sdist: build.py FOLDER [VERSION]. The same tree gives the same bytes.

Needs Python 3.11 and nothing else.
"""

import base64
import gzip
import hashlib
import io
import pathlib
import sys
import tarfile
import zipfile
from typing import Any

import tomllib

HERE = pathlib.Path(__file__).resolve().parent


def metadata(project: dict[str, Any], version: str) -> str:
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        f"License: {project['license']['text']}",
        *(f"Classifier: {one}" for one in project["classifiers"]),
        f"Requires-Python: {project['requires-python']}",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join([*lines, "", (HERE / "README.md").read_text("utf-8")])


def sources(*folders: str) -> dict[str, bytes]:
    found = [
        file for folder in folders for file in sorted((HERE / folder).rglob("*")) if file.suffix in (".py", ".typed")
    ]
    return {file.relative_to(HERE).as_posix(): file.read_bytes() for file in found}


def wheel(out: pathlib.Path, name: str, about: bytes) -> None:
    info = f"{name}.dist-info"
    tags = b"Wheel-Version: 1.0\nGenerator: metasched\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {path.removeprefix("src/"): data for path, data in sources("src").items()}
    files |= {f"{info}/LICENSE": licence(), f"{info}/METADATA": about, f"{info}/WHEEL": tags}
    record = "".join(f"{path},sha256={digest(data)},{len(data)}\n" for path, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    with zipfile.ZipFile(out / f"{name}-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as made:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            made.writestr(entry, data)


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def licence() -> bytes:
    return next(file for file in (HERE / "LICENSE", HERE.parent.parent / "LICENSE") if file.exists()).read_bytes()


def sdist(out: pathlib.Path, name: str, about: bytes, settings: bytes) -> None:
    files = {"PKG-INFO": about, "pyproject.toml": settings, "LICENSE": licence()}
    files |= {"README.md": (HERE / "README.md").read_bytes(), "build.py": (HERE / "build.py").read_bytes()}
    files |= sources("src", "tests")
    with (
        open(out / f"{name}.tar.gz", "wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as made,
    ):
        for path, data in files.items():
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size = len(data)
            made.addfile(entry, io.BytesIO(data))


def main(folder: str, product: str = "") -> None:
    text = (HERE / "pyproject.toml").read_text("utf-8")
    project = tomllib.loads(text)["project"]
    version = product.replace("-SNAPSHOT", ".dev0") or project["version"]
    settings = text.replace(f'version = "{project["version"]}"', f'version = "{version}"', 1).encode()
    out = pathlib.Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    name = f"{project['name'].replace('-', '_')}-{version}"
    about = metadata(project, version).encode()
    wheel(out, name, about)
    sdist(out, name, about, settings)


if __name__ == "__main__":
    main(*sys.argv[1:])
