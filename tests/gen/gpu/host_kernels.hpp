#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/oracle.hpp"
#include "gen/gpu/kernel_text.hpp"
#include "tests/support/compilers.hpp"
#include "tests/support/stripe.hpp"

// Kernels as C++ for a CPU, each with its oracle, for tests that compile them.

namespace xorloom {

using RunKernel = void(unsigned char* base, const unsigned long long* at, unsigned long long pitch,
                       unsigned long long columns);
using RunKernelWithTables = void(unsigned char* base, const unsigned long long* at,
                                 unsigned long long pitch, unsigned long long columns,
                                 const unsigned char* tables);

struct HostKernel {
  Code code;
  Program program;
  std::function<void(std::uint8_t* const* chunks, std::size_t chunk_bytes)> oracle;
  KernelText text;
};

/// A deque, so that kernels keep their addresses: oracles refer to them.
using HostKernels = std::deque<HostKernel>;

inline void add_kernel(HostKernels& kernels, const Code& code, const Program& program,
                       const LinearMap& map, KernelOptions options) {
  options.language = KernelLanguage::kHost;
  options.name = fmt::format("test{}", kernels.size());
  kernels.push_back({code, program, {}, emit_kernel(code, {"run", program}, options)});
  kernels.back().oracle = [code, map](std::uint8_t* const* chunks, std::size_t chunk_bytes) {
    oracle(code, map, chunks, chunk_bytes);
  };
}

inline void add_encoding(HostKernels& kernels, const Code& code, const KernelOptions& options) {
  add_kernel(kernels, code, direct_encoding(code, {}, over_of(code)), encoding_map(code), options);
}

inline void add_decoding(HostKernels& kernels, const Code& code,
                         const std::vector<std::size_t>& lost, const KernelOptions& options) {
  add_kernel(kernels, code, direct_decoding(code, lost, {}, {}, over_of(code)),
             decoding_map(code, lost), options);
}

/// The source of a kernel as a part of a file with others: in a namespace, without its macros
/// behind it.
inline std::string in_namespace(const KernelText& text) {
  std::string part = fmt::format("namespace in_{} {{\n{}}}\n", text.entry, text.source);
  std::istringstream lines(text.source);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kDefine = "#define ";
    if (!line.starts_with(kDefine)) continue;
    const std::string rest = line.substr(kDefine.size());
    part += fmt::format("#undef {}\n", rest.substr(0, rest.find_first_of(" (")));
  }
  return part;
}

/// Compiles kernels into one library, with warnings as errors.
inline LoadedLibrary build(const TemporaryFolder& folder, const Compiler& compiler,
                           const HostKernels& kernels, const char* optimization = "-O1") {
  std::string source;
  for (const HostKernel& kernel : kernels) source += in_namespace(kernel.text);
  folder.write("kernels.cpp", source);
  REQUIRE(complaint_of(folder, fmt::format("{} -std=c++17 {} -Wall -Wextra -Wshadow -Werror "
                                           "-shared -fPIC -o kernels.so kernels.cpp",
                                           compiler.name, optimization)) == "");
  return LoadedLibrary(folder / "kernels.so");
}

/// The chunks of a stripe as a device has them: aligned, with room after each sub-chunk.
class DeviceCopy {
 public:
  DeviceCopy(const Code& code, const Stripe& stripe)
      : sub_chunks_(code.arrangement == Arrangement::kWord ? code.subchunks : 1),
        sub_bytes_(stripe.chunk_bytes() / sub_chunks_),
        pitch_((sub_bytes_ + 7) / 8 * 8),
        words_(stripe.locations() * sub_chunks_ * pitch_ / 8 + 2, kGuard) {
    for (std::size_t i = 0; i < stripe.locations(); ++i) {
      for (std::size_t s = 0; s < sub_chunks_; ++s) {
        std::copy_n(stripe.chunks()[i] + s * sub_bytes_, sub_bytes_, place(i) + s * pitch_);
      }
    }
  }

  void run(const LoadedLibrary& library, const HostKernel& kernel, std::size_t chunk_bytes) {
    std::vector<unsigned long long> at;
    for (const std::size_t location : kernel.text.chunks) {
      at.push_back(static_cast<unsigned long long>(place(location) - bytes()));
    }
    const std::size_t columns = kernel.code.arrangement == Arrangement::kWord
                                    ? sub_bytes_
                                    : chunk_bytes / kernel.code.rows();
    const std::string name = kernel.text.entry + "_run";
    if (kernel.text.tables.empty()) {
      library.function<RunKernel>(name)(bytes(), at.data(), pitch_, columns);
    } else {
      library.function<RunKernelWithTables>(name)(bytes(), at.data(), pitch_, columns,
                                                  kernel.text.tables.data());
    }
  }

  void copy_back(const Stripe& stripe) {
    for (std::size_t i = 0; i < stripe.locations(); ++i) {
      for (std::size_t s = 0; s < sub_chunks_; ++s) {
        std::copy_n(place(i) + s * pitch_, sub_bytes_, stripe.chunks()[i] + s * sub_bytes_);
      }
    }
  }

  bool guards_intact() const { return words_.front() == kGuard && words_.back() == kGuard; }

 private:
  static constexpr std::uint64_t kGuard = 0xa5a5a5a5a5a5a5a5;

  unsigned char* bytes() { return reinterpret_cast<unsigned char*>(words_.data()); }
  unsigned char* place(std::size_t location) {
    return bytes() + 8 + location * sub_chunks_ * pitch_;
  }

  std::size_t sub_chunks_;
  std::size_t sub_bytes_;
  std::size_t pitch_;
  std::vector<std::uint64_t> words_;
};

/// The stripe with other bytes in the cells that a program computes.
inline Stripe with_junk(const Stripe& stripe, const Program& program, const Code& code) {
  Stripe changed = stripe;
  const std::size_t packet_bytes = code.packet_bytes;
  for (const Element output : program.outputs) {
    const std::span<std::uint8_t> chunk = changed.chunk(output / program.rows);
    const std::size_t row = output % program.rows;
    if (packet_bytes == 0) {
      const std::size_t sub = chunk.size() / program.rows;
      std::ranges::fill(chunk.subspan(row * sub, sub), std::uint8_t{0xee});
      continue;
    }
    for (std::size_t at = row * packet_bytes; at < chunk.size(); at += chunk_multiple(code)) {
      std::ranges::fill(chunk.subspan(at, packet_bytes), std::uint8_t{0xee});
    }
  }
  return changed;
}

/// Runs a kernel on random data, with junk in what it computes, and compares everything.
inline void check_kernel(const LoadedLibrary& library, const HostKernel& kernel,
                         std::size_t chunk_bytes) {
  CAPTURE(kernel.code.spec);
  CAPTURE(kernel.text.entry);
  CAPTURE(static_cast<int>(kernel.text.form));
  CAPTURE(chunk_bytes);
  const std::size_t locations = std::max(kernel.code.locations, kernel.text.chunks.back() + 1);
  // A decoding may read others than the oracle: the chunks are those of a code.
  const Stripe before(locations, chunk_bytes, 1 + chunk_bytes);
  oracle(kernel.code, encoding_map(kernel.code), before.chunks(), chunk_bytes);
  Stripe expected = before;
  kernel.oracle(expected.chunks(), chunk_bytes);
  DeviceCopy copy(kernel.code, with_junk(before, kernel.program, kernel.code));
  copy.run(library, kernel, chunk_bytes);
  Stripe actual = before;
  copy.copy_back(actual);
  CHECK(actual == expected);
  CHECK(copy.guards_intact());
}

}  // namespace xorloom
