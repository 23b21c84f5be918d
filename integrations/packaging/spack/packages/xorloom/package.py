from spack.package import *


class Xorloom(CMakePackage):
    """A compiler and engine for erasure codes.

    In the root of a checkout:

        spack repo add integrations/packaging/spack
        spack dev-build xorloom@0.2.0
    """

    license("MIT")

    version("0.2.0")

    variant("shared", default=True, description="Build a shared library")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("tbb")
    depends_on("zlib-api")
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3.11:")
    depends_on("cli11@2.2:")
    depends_on("libarchive@3.6:")
    depends_on("xxhash@0.8:")
    depends_on("opencl-c-headers")
    depends_on("xbyak", when="target=x86_64:")

    # On aarch64 machine code is written by asmjit, which Spack does not have.
    conflicts("target=aarch64:")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("XORLOOM_BUILD_TESTS", False),
            self.define("XORLOOM_BUILD_BENCHMARKS", False),
            self.define("XORLOOM_PEERS", False),
        ]
