#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/oracle.hpp"
#include "equations/ir/proof.hpp"
#include "gen/source/emit.hpp"
#include "tests/support/compilers.hpp"
#include "tests/support/stripe.hpp"

// Generated source with its oracles, for tests that compile it.

namespace xorloom {

using Compute = int(std::uint8_t* const chunks[], std::size_t chunk_bytes);
using Oracle = std::function<void(std::uint8_t* const* chunks, std::size_t chunk_bytes)>;

/// Programs of one code, each with its oracle.
struct Source {
  std::string name;
  Code code;
  std::vector<NamedProgram> programs{};
  std::vector<Oracle> oracles{};
  std::size_t part_operands = SourceOptions{}.part_operands;

  void add(const std::string& function, const Program& program, const LinearMap& map) {
    programs.push_back({function, program});
    oracles.emplace_back([this, map](std::uint8_t* const* chunks, std::size_t chunk_bytes) {
      oracle(code, map, chunks, chunk_bytes);
    });
  }
  /// A program of no code: what it has to compute is what it says.
  void add(const std::string& function, const Program& program) {
    programs.push_back({function, program});
    oracles.emplace_back([this, program](std::uint8_t* const* chunks, std::size_t chunk_bytes) {
      oracle_packets(evaluate_symbolically(program), program.inputs, program.outputs, program.rows,
                     code.packet_bytes, chunks, chunk_bytes);
    });
  }
  void add_direct(const std::vector<std::vector<std::size_t>>& erasures) {
    add("encode", direct_encoding(code), encoding_map(code));
    for (const auto& lost : erasures) {
      add(fmt::format("decode_{}", fmt::join(lost, "_")), direct_decoding(code, lost),
          decoding_map(code, lost));
    }
  }
};

/// A deque, so that sources keep their addresses: oracles refer to them.
using Sources = std::deque<Source>;

inline Source& add_code(Sources& sources, const std::string& name, const std::string& spec,
                        std::size_t packet_bytes) {
  return sources.emplace_back(Source{fmt::format("{}_{}", name, packet_bytes),
                                     make_code(spec, {.packet_bytes = packet_bytes})});
}

/// The function in its file, and outside of C++ by a name that can be looked up.
inline std::string symbol(const Source& source, const NamedProgram& program) {
  return fmt::format("xl_{}_{}", source.name, program.name);
}

/// Compiles sources into one library, with warnings as errors.
inline LoadedLibrary build(const TemporaryFolder& folder, const Compiler& compiler,
                           const std::string& flags, const Sources& sources) {
  std::string files;
  std::string together;  // C++ has namespaces, so one file includes all and parses headers once
  for (const Source& source : sources) {
    std::string text = emit_source(source.code, source.programs,
                                   {.target = compiler.is_cpp ? "c++" : "c",
                                    .name = source.name,
                                    .part_operands = source.part_operands});
    for (const NamedProgram& program : source.programs) {
      if (!compiler.is_cpp) break;
      text += fmt::format(
          "extern \"C\" int {0}(std::uint8_t *const chunks[], std::size_t chunk_bytes);\n"
          "extern \"C\" int {0}(std::uint8_t *const chunks[], std::size_t chunk_bytes) {{\n"
          "  return xl_{1}::{2}(chunks, chunk_bytes);\n}}\n",
          symbol(source, program), source.name, program.name);
    }
    const std::string file = source.name + (compiler.is_cpp ? ".cpp" : ".c");
    folder.write(file, text);
    files += " " + file;
    together += fmt::format("#include \"{}\"\n", file);
  }
  if (compiler.is_cpp) {
    folder.write("together.cpp", together);
    files = " together.cpp";
  }
  const std::string library = fmt::format("{}{}.so", compiler.name, flags);
  REQUIRE(complaint_of(folder, fmt::format("{} {} {} -shared -fPIC -o '{}'{}", compiler.name,
                                           strict_flags(compiler), flags, library, files)) == "");
  return LoadedLibrary(folder / library);
}

/// Pointers to the chunks that a program reads or writes; null for all others.
inline std::vector<std::uint8_t*> needed_chunks(const Stripe& stripe, const Program& program) {
  std::vector<std::uint8_t*> chunks(stripe.locations(), nullptr);
  for (const auto* elements : {&program.inputs, &program.outputs}) {
    for (const Element element : *elements) {
      chunks[element / program.rows] = stripe.chunks()[element / program.rows];
    }
  }
  return chunks;
}

}  // namespace xorloom
