"""What is built: the same bytes each time, whole, and importable as it is."""

import base64
import csv
import hashlib
import io
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

HERE = pathlib.Path(__file__).resolve().parent.parent


def built(folder, script=HERE / "build.py"):
    subprocess.run([sys.executable, str(script), folder, "1.2.3-SNAPSHOT"], check=True)
    return {file.name: file.read_bytes() for file in pathlib.Path(folder).iterdir()}


@unittest.skipIf(sys.version_info < (3, 11), "build.py needs Python 3.11")
class BuildTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.made = built(str(self.folder / "a"))

    def test_wheel_and_sdist_are_the_same_from_the_tree_and_from_the_sdist(self):
        self.assertEqual(
            {"metasched_client-1.2.3.dev0-py3-none-any.whl", "metasched_client-1.2.3.dev0.tar.gz"}, set(self.made)
        )
        self.assertEqual(self.made, built(str(self.folder / "b")))
        with tarfile.open(self.folder / "a" / "metasched_client-1.2.3.dev0.tar.gz") as sdist:
            sdist.extractall(self.folder)  # noqa: S202
        unpacked = self.folder / "metasched_client-1.2.3.dev0"
        self.assertIn('version = "1.2.3.dev0"', (unpacked / "pyproject.toml").read_text())
        self.assertEqual(self.made, built(str(self.folder / "c"), unpacked / "build.py"))

    def test_the_wheel_records_each_file_and_is_imported(self):
        name = "metasched_client-1.2.3.dev0-py3-none-any.whl"
        with zipfile.ZipFile(io.BytesIO(self.made[name])) as wheel:
            record = list(csv.reader(wheel.read("metasched_client-1.2.3.dev0.dist-info/RECORD").decode().splitlines()))
            self.assertEqual(wheel.namelist(), [path for path, _, _ in record])
            self.assertIn("metasched/py.typed", wheel.namelist())
            for path, said, size in record[:-1]:
                digest = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(path)).digest()).rstrip(b"=").decode()
                self.assertEqual((f"sha256={digest}", str(len(wheel.read(path)))), (said, size))
        code = "import importlib.metadata as m, metasched; print(m.version('metasched-client'), metasched.__file__)"
        answer = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": str(self.folder / "a" / name)},
            capture_output=True,
            text=True,
            check=True,
        )
        version, place = answer.stdout.split()
        self.assertEqual("1.2.3.dev0", version)
        self.assertIn(name, place)


if __name__ == "__main__":
    unittest.main()
