from spack.package import *


class Xbyak(CMakePackage):
    """A just-in-time assembler for x86-64, which is all in its headers."""

    homepage = "https://github.com/herumi/xbyak"
    git = "https://github.com/herumi/xbyak.git"

    license("BSD-3-Clause")

    version("7.07", tag="v7.07", commit="aabb091ae37068498751fd58202a9854408ecb0e")

    depends_on("cxx", type="build")
