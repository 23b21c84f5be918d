"""Builds the extension of the Python module with CMake; pyproject.toml says the rest."""

import os
import pathlib
import shlex
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).parent.resolve()


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        target = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        build = pathlib.Path(self.build_temp).resolve()
        subprocess.run(
            [
                "cmake",
                f"-S{ROOT}",
                f"-B{build}",
                "-GNinja",
                "-DCMAKE_BUILD_TYPE=Release",
                "-DXORLOOM_BUILD_TESTS=OFF",
                "-DXORLOOM_BUILD_BENCHMARKS=OFF",
                "-DXORLOOM_PEERS=OFF",
                f"-DPython_EXECUTABLE={sys.executable}",
                *shlex.split(os.environ.get("CMAKE_ARGS", "")),
            ],
            check=True,
        )
        subprocess.run(["cmake", "--build", build, "--target", "xorloom_python"], check=True)
        made = list((build / "python" / "xorloom").glob("_core*.so"))
        if len(made) != 1:
            raise RuntimeError("CMake made no module: pybind11 or Python's headers are missing")
        target.parent.mkdir(parents=True, exist_ok=True)
        self.copy_file(str(made[0]), str(target))


setup(ext_modules=[Extension("xorloom._core", [])], cmdclass={"build_ext": CMakeBuild})
