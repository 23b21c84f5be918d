// Checksums of the redundancy that other software once computed for the data below.
//
//   klauspost      klauspost/reedsolomon 1.14.1 (commit 0596408), by its default matrix and by
//                  WithPAR1Matrix, WithCauchyMatrix and WithJerasureMatrix
//   zfec           zfec 1.5.2
//   SnapRAID       raid_gen() of SnapRAID's folder raid/, commit c9d8d45, in the modes
//                  RAID_MODE_CAUCHY_RAID and RAID_MODE_VANDERMONDE_RAID (z-parity)
//   OpenZFS        vdev_raidz_p_func, _pq_func and _pqr_func of OpenZFS's vdev_raidz.c, over
//                  columns from the first to the last
//   Linux          raid6_int1_gen_syndrome of Linux's lib/raid6/int.uc
//
// Byte i of data chunk j is (131 i + 17 j + 7 (i >> 8) + j^2) mod 256, and a chunk has 1000 bytes.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "runtime/files/checksum.hpp"
#include "runtime/kernels/isa.hpp"
#include "tests/support/stripe.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kFormulaBytes = 1000;

struct Checked {
  std::size_t k, m;
  std::uint64_t sum;  ///< checksum of all redundant chunks in order
};
struct OtherProgram {
  const char* name;
  const char* family;
  const char* matrix;  ///< end of the spec, after the sizes
  std::vector<Checked> written;
};

const std::vector<OtherProgram>& other_programs() {
  static const std::vector<OtherProgram> software = {
      {"klauspost, default",
       "rs",
       ",matrix=vandermonde",
       {{1, 1, 0x65bd5991ddce7c4a},
        {2, 2, 0xc6b5d53990b20377},
        {4, 2, 0x49113d3792619a60},
        {5, 5, 0x956178219475c792},
        {6, 3, 0x45d3c26e71014d7e},
        {10, 4, 0x722b4edf02dc3ed2},
        {17, 3, 0xd9002d7d0e62450b},
        {28, 4, 0xa80427370b1aec11},
        {50, 20, 0xeed3a2e37f268b34},
        {200, 50, 0x002cd9d37952c1cc}}},
      {"klauspost, WithPAR1Matrix",
       "rs",
       ",matrix=par1",
       {{1, 1, 0x65bd5991ddce7c4a},
        {2, 2, 0xb587270b819304d6},
        {4, 2, 0x9adda23690843c5c},
        {5, 5, 0x5172b69d4fdf9785},
        {6, 3, 0x2e348e6200e27e0b},
        {10, 4, 0xd19636c46fe224fa},
        {17, 3, 0x44a5b8e71238b323},
        {28, 4, 0xde5879cfcee85523},
        {50, 20, 0x085fc08f0455f2e9},
        {200, 50, 0x9129f93c74c3881a}}},
      {"klauspost, WithCauchyMatrix",
       "isa-cauchy",
       "",
       {{2, 2, 0x9105c8f04abbb772},
        {4, 2, 0xf7f78d2d6108134e},
        {5, 5, 0x327336eb90b64457},
        {6, 3, 0x5024e25976871b17},
        {10, 4, 0x64711c70bfa1924a},
        {17, 3, 0x03558a993ced5b5a},
        {28, 4, 0xb03b9aa73ce9f892},
        {50, 20, 0x8280496eb1759fa9},
        {200, 50, 0x9eb580895da19461}}},
      {"klauspost, WithJerasureMatrix",
       "rs",
       "",
       {{1, 1, 0x65bd5991ddce7c4a},
        {2, 2, 0xf931b835172df1ae},
        {4, 2, 0x5d8adb294bc9c915},
        {5, 5, 0xa811b8c0b587df3f},
        {6, 3, 0xba8d5d4592d2000b},
        {10, 4, 0x4a535a245eff3139},
        {17, 3, 0x9a2994c8e1270e52},
        {28, 4, 0x145632de250c7029},
        {50, 20, 0xa11d0b8189bb8110},
        {200, 50, 0xd2a2045c242dada7}}},
      {"zfec",
       "rs",
       ",matrix=zfec",
       {{1, 1, 0x65bd5991ddce7c4a},
        {2, 2, 0xd2f845dfac99006f},
        {4, 2, 0x9a620d7bd6344fa7},
        {5, 5, 0xfcd95f8fd5395b83},
        {6, 3, 0x99b17a654d60314c},
        {10, 4, 0xe6412fefb417d623},
        {17, 3, 0xef367c1ce5dba8e9},
        {28, 4, 0x5a9e142195daee5b},
        {50, 20, 0x25ed3f0e52e6c7a7},
        {200, 50, 0x1ce498c067d45200}}},
      {"SnapRAID",
       "rs",
       ",matrix=snapraid",
       {{1, 1, 0x65bd5991ddce7c4a},
        {2, 2, 0xb587270b819304d6},
        {4, 2, 0x7934e5fd2e22beb5},
        {4, 3, 0xde268fb7750d9775},
        {5, 5, 0xcc671a12b0ba326a},
        {6, 4, 0xf211c92ebd6d05fd},
        {8, 6, 0xdf989021f9959acb},
        {10, 4, 0xdce0cde82fc693b2},
        {17, 3, 0x96db16e4eff2ccf2},
        {28, 5, 0x7f72716224bddd38},
        {100, 6, 0x6c4c9ffd97af7dd6},
        {251, 6, 0x2bc4ea6e9cc52c5b}}},
      {"SnapRAID, z-parity",
       "rs",
       ",matrix=snapraid-z",
       {{2, 2, 0xb587270b819304d6},
        {4, 3, 0x639bab455b2d365e},
        {8, 3, 0xaaed563f850ffec0},
        {17, 3, 0x855a740976c92d15},
        {100, 3, 0xaabb9a0ffad487fc},
        {251, 3, 0x78125e7bfa0de56e}}},
      {"OpenZFS",
       "rs",
       ",matrix=raidz",
       {{1, 1, 0x65bd5991ddce7c4a},
        {4, 1, 0x84bf82b9f76b6b3d},
        {1, 2, 0x6e43b7042d7e8af0},
        {4, 2, 0xe869e1ad6a860514},
        {2, 3, 0x08f4a052b68a01f4},
        {4, 3, 0xda30f3c4944df97f},
        {8, 3, 0x38dcb5ecd51dd528},
        {17, 3, 0x87cbf5239df1280c},
        {100, 3, 0xf003ed6cb6a579fc},
        {250, 3, 0x9f989868ff6266dc}}},
      {"Linux",
       "raid6",
       "",
       {{2, 2, 0xb587270b819304d6},
        {4, 2, 0x7934e5fd2e22beb5},
        {8, 2, 0x9143949263c6feef},
        {17, 2, 0x9a732fb6710eea5c},
        {100, 2, 0x2be82302df405b91},
        {250, 2, 0x0ef35907a4509851}}},
  };
  return software;
}

std::string software_spec(const OtherProgram& software, const Checked& one) {
  std::string spec = std::string(software.family) + ":k=" + std::to_string(one.k);
  if (spec.starts_with("rs") || spec.starts_with("isa")) spec += ",m=" + std::to_string(one.m);
  return spec + software.matrix;
}

Stripe formula_data(const Checked& one) {
  Stripe stripe(one.k + one.m, kFormulaBytes, 0);
  for (std::size_t j = 0; j < one.k; ++j) {
    for (std::size_t i = 0; i < kFormulaBytes; ++i) {
      stripe.chunk(j)[i] = static_cast<std::uint8_t>(131 * i + 17 * j + 7 * (i >> 8U) + j * j);
    }
  }
  return stripe;
}

std::uint64_t redundancy_sum(const Stripe& stripe, std::size_t k) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = k; i < stripe.locations(); ++i) {
    bytes.insert(bytes.end(), stripe.chunk(i).begin(), stripe.chunk(i).end());
  }
  return checksum(bytes);
}

/// Up to m locations, chosen at random. More than three of PAR1 may not come back.
std::vector<std::size_t> some_losses(const OtherProgram& software, const Checked& one) {
  std::vector<std::size_t> lost(one.k + one.m);
  std::iota(lost.begin(), lost.end(), std::size_t{0});
  std::shuffle(lost.begin(), lost.end(), std::mt19937(static_cast<std::uint32_t>(one.k)));
  const bool is_par1 = std::string(software.matrix) == ",matrix=par1";
  lost.resize(is_par1 ? std::min<std::size_t>(one.m, 1) : one.m);
  return lost;
}

void check_written(const OtherProgram& software, const Checked& one, const Options& options) {
  INFO(software.name, ", ", software_spec(software, one));
  const Codec codec(software_spec(software, one), options);
  const Stripe stripe = formula_data(one);
  REQUIRE(codec.encode(stripe.chunks(), kFormulaBytes) == Status::kOk);
  CHECK(redundancy_sum(stripe, one.k) == one.sum);
  const std::vector<std::size_t> lost = some_losses(software, one);
  Stripe damaged = stripe;
  for (const std::size_t location : lost) damaged.lose(location);
  REQUIRE(codec.decode(damaged.chunks(), lost, kFormulaBytes) == Status::kOk);
  CHECK(damaged == stripe);
}

}  // namespace

TEST_CASE("Codes write the bytes of other software on every instruction set, and decode them") {
  for (const Isa isa : machine_isas()) {
    INFO(to_string(isa));
    Options options;
    options.isa = isa;
    options.allow_non_mds = true;  // PAR1 of many rows
    for (const OtherProgram& software : other_programs()) {
      for (const Checked& one : software.written) check_written(software, one, options);
    }
  }
}

TEST_CASE("Machine code writes the bytes of other software") {
  Options options;
  options.allow_non_mds = true;
  options.engine = Engine::kCode;
  try {
    static_cast<void>(Codec("rs:k=4,m=2", options));
  } catch (const Error& error) {
    std::puts("SKIPPED: this machine has no AVX2");
    return;
  }
  for (const OtherProgram& software : other_programs()) {
    for (const Checked& one : software.written) {
      if (one.k + one.m <= 32) check_written(software, one, options);
    }
  }
}

TEST_CASE("Changes of data reach the redundancy of every matrix") {
  for (const OtherProgram& software : other_programs()) {
    const Checked one = software.written[2];
    const std::string spec = software_spec(software, one);
    CAPTURE(spec);
    const Codec codec(spec);
    Stripe stripe = formula_data(one);
    REQUIRE(codec.encode(stripe.chunks(), kFormulaBytes) == Status::kOk);
    Stripe changed = formula_data(one);
    for (std::uint8_t& byte : changed.chunk(0)) byte ^= 0x5a;
    REQUIRE(codec.encode(changed.chunks(), kFormulaBytes) == Status::kOk);
    REQUIRE(codec.update(0, stripe.chunk(0).data(), changed.chunk(0).data(), stripe.chunks(),
                         kFormulaBytes) == Status::kOk);
    std::ranges::copy(changed.chunk(0), stripe.chunk(0).begin());
    CHECK(stripe == changed);
  }
}

}  // namespace xorloom
