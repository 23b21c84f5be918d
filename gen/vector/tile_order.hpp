#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "equations/ir/dense_program.hpp"
#include "equations/ir/program.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// How machine code is made: not at all, in a greedy order, or in one that some iterations of a
/// search were spent on.
struct JitOptions {
  bool is_wanted = true;
  std::uint64_t iterations = 0;
  /// Of a quick search instead: the instructions of all orders together that are tried. Some ten
  /// nanoseconds each.
  std::uint64_t quick_instructions = 0;
  std::function<bool()> stop_requested{};  ///< asked while they are
  /// Inputs that are read before the next are: see greedy_steps.
  std::size_t window = 0;
  /// Of XOR programs, a kernel that prefetches nothing, for what lies in the first cache.
  bool has_near = false;
  /// If given, the program as machine code is to compute it: fused for what an instruction adds,
  /// and in an order that was found before. Over symbols it is any program that computes the same.
  std::shared_ptr<const Program> order{};

  /// Whether an order is searched for, or only a greedy one made.
  bool is_search() const { return iterations != 0 || quick_instructions != 0; }
};

/// The program with its temporaries as the machine's instructions want them.
Program fused(const Program& program, const MachineFacts& machine);

/// The tile of an XOR program as a machine is to compute it: fused for its instructions and in an
/// order that is greedy, or that a search was spent on; all of it proved. Bands of a program, which
/// share nothing but inputs, follow one another in greedy orders. For AVX-512 a search interleaves
/// them if one kernel holds them all. One of too many equations for machine code comes as it is,
/// and unproved: nothing is lowered from it.
Program ordered_tile(const Program& program, const MachineFacts& machine,
                     const JitOptions& options);

/// What a turn of an XOR program's loop costs in a greedy order: the price by which programs are
/// compared of which one is to become machine code.
///
/// Cost: that of greedy_steps.
std::size_t greedy_price(const Program& program, const MachineFacts& machine,
                         std::size_t window = 0);

/// The options for a part of a program: its share of what may be searched. Units: operands.
JitOptions options_of_part(const JitOptions& options, std::size_t part, std::size_t whole);

}  // namespace xorloom
