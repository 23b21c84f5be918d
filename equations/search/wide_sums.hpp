#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "equations/ir/program.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

/// Sums over inputs and each other as sets of values, while a search opens and shares them anew. A
/// value is an input or, after these, a sum; the first sums are the outputs.
///
/// A sum is a row of bits, one for each value that it adds up. Adding a sum to another is adding
/// rows, where what both have cancels. Sums form no cycle.
class WideSums {
 public:
  /// Shape:  an XOR program.
  /// gate_inputs  values that a gate adds up at most
  /// most_depth   levels of gates that should do; 0: any
  WideSums(const Program& program, std::size_t gate_inputs, std::size_t most_depth);

  /// Bits of the rows that such sums take, with room for more.
  static std::uint64_t bits_of(std::size_t inputs, std::size_t outputs, std::size_t temporaries);

  /// What a search makes low: gates and, beyond those that should do, levels of outputs. Operands
  /// count a little, as it is by them that gates are saved.
  long price() const;

  /// Writes some random temporaries into their readers, and shares what that changed anew: as long
  /// as it lowers the price, takes a set of values out of all sums that have it, or adds a sum to
  /// another that then gets shorter. Once stop_requested, if given, returns true, it shares no
  /// more.
  void move(Random& random, const std::function<bool()>& stop_requested = {});

  /// Words that a move looks at, or so.
  std::uint64_t looks_of_move() const;

  /// The sums as a program with the layout of another that computes the same.
  Program program(const Program& layout) const;

 private:
  using Word = std::uint64_t;

  /// A step of sharing, and what it lowers the price by.
  struct Choice {
    long gain = 0;
    bool is_new = false;   ///< a set of values becomes a sum, else one sum is added to another
    std::size_t from = 0;  ///< that is added
    std::size_t to = 0;    ///< that it is added to
  };

  Word* row(std::size_t sum) { return bits_.data() + sum * words_; }
  const Word* row(std::size_t sum) const { return bits_.data() + sum * words_; }
  bool has(std::size_t sum, std::size_t value) const {
    return (row(sum)[value / 64] >> (value % 64) & 1U) != 0;
  }
  bool has_all(std::size_t sum, const std::vector<Word>& set) const;
  void flip(std::size_t sum, std::size_t value) { row(sum)[value / 64] ^= Word{1} << (value % 64); }

  long price(std::size_t size) const;
  std::size_t level(std::size_t sum, std::vector<std::size_t>& levels) const;
  std::vector<std::size_t> values(std::size_t sum) const;
  std::vector<std::size_t> readers(std::size_t sum) const;
  bool depends(std::size_t sum, std::size_t on);
  std::size_t unused() const;
  std::size_t draw_temporary(Random& random) const;
  long gain_of(const std::vector<Word>& set, std::size_t size) const;

  void changed(std::size_t sum);
  void write_into(std::size_t reader, std::size_t sum);
  void open(std::size_t temporary);
  void open_needless();
  Choice best_choice(Random& random, std::vector<Word>& best_set);
  bool is_stopped_after(std::uint64_t looks);
  void take_out(const std::vector<Word>& set);

  std::size_t gate_inputs_;
  std::size_t most_depth_;
  std::size_t num_inputs_;
  std::size_t num_outputs_;
  std::size_t num_sums_ = 0;  ///< with those that are not in use
  std::size_t words_ = 0;     ///< of a row
  std::vector<Word> bits_;
  std::vector<std::size_t> size_;                          ///< by sum: the values that it adds up
  std::vector<bool> in_use_;                               ///< by sum
  std::vector<std::size_t> changed_;                       ///< since the move began
  std::vector<bool> visited_;                              ///< by sum, of a search
  const std::function<bool()>* stop_requested_ = nullptr;  ///< during a move
  std::uint64_t looks_ = 0;                                ///< since it was asked
  bool is_stopped_ = false;
};

}  // namespace xorloom
