#!/usr/bin/env python3
"""Compares the recipes for package managers with CMakeLists.txt: packaging_recipes.py SOURCE conan|spack|nix.

A recipe runs with stand-ins for its package manager. It must name the project's version, options that CMake knows,
and a dependency for each library that CMakeLists.txt looks for.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import types

SOURCE = pathlib.Path(sys.argv[1])
RECIPES = SOURCE / "integrations" / "packaging"

# What each manager calls the libraries of CMakeLists.txt.
NAMES = {
    "conan": {"TBB": "onetbb", "fmt": "fmt", "ZLIB": "zlib", "nlohmann_json": "nlohmann_json", "CLI11": "cli11",
              "LibArchive": "libarchive", "XXHASH": "xxhash", "OPENCL": "opencl-headers", "XBYAK": "xbyak"},
    "spack": {"TBB": "tbb", "fmt": "fmt", "ZLIB": "zlib-api", "nlohmann_json": "nlohmann-json", "CLI11": "cli11",
              "LibArchive": "libarchive", "XXHASH": "xxhash", "OPENCL": "opencl-c-headers", "XBYAK": "xbyak"},
    "nix": {"TBB": "tbb", "fmt": "fmt", "ZLIB": "zlib", "nlohmann_json": "nlohmann_json", "CLI11": "cli11",
            "LibArchive": "libarchive", "XXHASH": "xxHash", "OPENCL": "opencl-headers", "XBYAK": "xbyak"},
}


class Anything:
    """Takes every call and every attribute."""

    def __init__(self, *arguments, **keywords):
        pass

    def __getattr__(self, name):
        return Anything()

    def __call__(self, *arguments, **keywords):
        return Anything()


def run_recipe(path, modules):
    """Runs a recipe with stand-ins for the modules that it imports. Returns its names."""
    for name, contents in modules.items():
        module = types.ModuleType(name)
        module.__dict__.update(contents)
        sys.modules[name] = module
    names = {"__name__": path.stem}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return names


def of_conan():
    """The version, the dependencies and the options of the recipe for Conan."""
    options = {}

    class Toolchain(Anything):
        cache_variables = options

    modules = {name: {} for name in ("conan.tools", "conan.tools.cmake", "conan.tools.files")}
    modules["conan"] = {"ConanFile": object}
    modules["conan.tools.cmake"] = {"CMake": Anything, "CMakeToolchain": Toolchain, "cmake_layout": Anything}
    modules["conan.tools.files"] = {"copy": Anything}
    recipe = run_recipe(RECIPES / "conan" / "conanfile.py", modules)["XorloomConan"]
    recipe.cpp_info = Anything()
    recipe.settings = types.SimpleNamespace(arch="x86_64")
    required = []
    recipe.requires = lambda self, reference, **keywords: required.append(reference.split("/")[0])
    made = recipe()
    made.requirements()
    for step in (made.layout, made.generate, made.build, made.package, made.package_info):
        step()
    return recipe.version, required, list(options)


def of_spack():
    """The version, the dependencies and the options of the recipe for Spack."""
    found = {"version": [], "depends_on": []}

    class Package:
        def define(self, name, value):
            return name

        def define_from_variant(self, name, variant):
            return name

    words = {name: Anything for name in ("license", "variant", "conflicts")}
    words["CMakePackage"] = Package
    for word, values in found.items():
        words[word] = lambda name, *, values=values, **keywords: values.append(name)
    words["__all__"] = list(words)
    recipe = run_recipe(RECIPES / "spack" / "packages" / "xorloom" / "package.py",
                        {"spack": {}, "spack.package": words})["Xorloom"]
    version, depends_on = found["version"][0], [name.split("@")[0] for name in found["depends_on"]]
    found["version"].clear()
    run_recipe(RECIPES / "spack" / "packages" / "xbyak" / "package.py", {"spack": {}, "spack.package": words})
    assert found["version"], "the recipe of xbyak has no version"
    return version, depends_on, recipe().cmake_args()


def of_nix():
    """The version, the dependencies and the options of the recipe for Nix."""
    if shutil.which("nix-instantiate") is None:
        print("SKIPPED: nix-bin is not installed")
        sys.exit(0)
    recipe = RECIPES / "nix" / "default.nix"
    store = ["--store", "dummy://"]  # any user may read a recipe
    subprocess.run(["nix-instantiate", *store, "--parse", recipe], check=True, stdout=subprocess.DEVNULL)
    libraries = set(NAMES["nix"].values()) | {"cmake", "ninja", "pkg-config"}
    packages = " ".join(f'{name} = "{name}";' for name in sorted(libraries))
    scene = f"""
      let pkgs = {{ {packages}
        lib = {{ cleanSource = path: path; licenses.mit = ""; platforms.linux = ""; }};
        stdenv = {{ mkDerivation = given: given; hostPlatform.isAarch64 = false; }}; }};
      made = import {recipe} {{ inherit pkgs; }};
      in {{ inherit (made) version cmakeFlags; inputs = made.buildInputs ++ made.propagatedBuildInputs;
           tools = made.nativeBuildInputs; }}"""
    printed = subprocess.run(["nix-instantiate", *store, "--eval", "--strict", "--json", "-E", scene], check=True,
                             capture_output=True, text=True).stdout
    made = json.loads(printed)
    return made["version"], made["inputs"], [flag[2:].split("=")[0] for flag in made["cmakeFlags"]]


def main():
    manager = sys.argv[2]
    lists = SOURCE / "CMakeLists.txt"
    text = lists.read_text()
    wanted = set(re.findall(r"find_package\((\w+) REQUIRED", text))
    wanted |= set(re.findall(r"find_path\(XORLOOM_(\w+)_INCLUDE_DIR", text))
    known = set(NAMES[manager])
    assert wanted == known, f"CMakeLists.txt looks for {wanted ^ known}, or does not"
    version, depends_on, options = {"conan": of_conan, "spack": of_spack, "nix": of_nix}[manager]()
    assert f"VERSION {version}\n" in text, f"the recipe has version {version}"
    for library in sorted(wanted):
        assert NAMES[manager][library] in depends_on, f"{library} is no dependency"
    everything = text + "".join(path.read_text() for path in sorted((SOURCE / "cmake").glob("*.cmake")))
    for option in options:
        assert option == "BUILD_SHARED_LIBS" or f"option({option} " in everything, f"there is no option {option}"
    assert "XORLOOM_BUILD_TESTS" in options, "the recipe builds the tests"


main()
