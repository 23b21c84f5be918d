# The library and the program, from the checkout that this file stands in:
#
#   nix-build integrations/packaging/nix
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "xorloom";
  version = "0.2.0";
  src = pkgs.lib.cleanSource ../../..;

  nativeBuildInputs = [ pkgs.cmake pkgs.ninja pkgs.pkg-config ];
  buildInputs = [
    pkgs.fmt
    pkgs.nlohmann_json
    pkgs.cli11
    pkgs.libarchive
    pkgs.xxHash
    pkgs.opencl-headers
  ] ++ (if pkgs.stdenv.hostPlatform.isAarch64 then [ pkgs.asmjit ] else [ pkgs.xbyak ]);
  # Programs that link the archive link these two.
  propagatedBuildInputs = [ pkgs.tbb pkgs.zlib ];

  cmakeFlags = [
    "-DBUILD_SHARED_LIBS=ON"
    "-DXORLOOM_BUILD_TESTS=OFF"
    "-DXORLOOM_BUILD_BENCHMARKS=OFF"
    "-DXORLOOM_PEERS=OFF"
  ];

  meta = {
    description = "A compiler and engine for erasure codes";
    license = pkgs.lib.licenses.mit;
    platforms = pkgs.lib.platforms.linux;
  };
}
