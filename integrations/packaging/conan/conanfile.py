"""Conan 2: builds the library from the checkout that this recipe stands in.

    conan create integrations/packaging/conan --build=missing
"""

import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy

# What is in a checkout and no part of the source.
NO_SOURCE = ("build/*", ".git/*", "integrations/packaging/*")


class XorloomConan(ConanFile):
    name = "xorloom"
    version = "0.2.0"
    description = "A compiler and engine for erasure codes"
    license = "MIT"
    package_type = "library"
    settings = "os", "compiler", "build_type", "arch"
    options = {"shared": [True, False]}
    default_options = {"shared": False}
    generators = "CMakeDeps"

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..", "..")
        copy(self, "*", root, self.export_sources_folder, excludes=NO_SOURCE)

    def requirements(self):
        # Programs that link the archive link these two; the others are parts of it.
        self.requires("onetbb/[>=2021.8]")
        self.requires("zlib/[>=1.2.11 <2]")
        for reference in ("fmt/[>=9]", "nlohmann_json/[>=3.11]", "cli11/[>=2.2]", "libarchive/[>=3.6]",
                          "xxhash/[>=0.8]", "opencl-headers/[>=2022]"):
            self.requires(reference, visible=False)
        if self.settings.arch == "x86_64":
            self.requires("xbyak/[>=6.60]", visible=False)
        else:
            self.requires("asmjit/[>=0]", visible=False)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for option in ("XORLOOM_BUILD_TESTS", "XORLOOM_BUILD_BENCHMARKS", "XORLOOM_PEERS"):
            toolchain.cache_variables[option] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["xorloom"]
        self.cpp_info.requires = ["onetbb::onetbb", "zlib::zlib"]
        self.cpp_info.set_property("cmake_target_name", "xorloom::xorloom")
        self.cpp_info.set_property("pkg_config_name", "xorloom")
