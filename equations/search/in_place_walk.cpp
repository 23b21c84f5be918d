#include "equations/search/in_place_walk.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace xorloom {
namespace {

/// Limits of a window: its wires, the lines from its first one on that may join it, and its lines.
constexpr std::size_t kWindowWires = 4;
constexpr std::size_t kWindowReach = 60;
constexpr std::size_t kWindowLines = 40;

/// An invertible matrix of four rows: bit 4 r + c is row r, column c.
using Small = std::uint16_t;
constexpr Small kIdentity = 0x8421;

constexpr Small with_row_added(Small matrix, std::size_t to, std::size_t from) {
  return static_cast<Small>(matrix ^ ((matrix >> (4 * from) & 15) << (4 * to)));
}

constexpr std::uint8_t kSingular = 255;

/// By matrix: the fewest additions of rows that make it a permutation; kSingular if none do.
std::vector<std::uint8_t> fewest_additions() {
  std::vector<std::uint8_t> fewest(1U << 16, kSingular);
  std::vector<Small> found;
  std::array<unsigned, kWindowWires> order{0, 1, 2, 3};
  do {
    unsigned permutation = 0;
    for (std::size_t r = 0; r < kWindowWires; ++r) permutation |= 1U << (4 * r + order[r]);
    fewest[permutation] = 0;
    found.push_back(static_cast<Small>(permutation));
  } while (std::ranges::next_permutation(order).found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t to = 0; to < kWindowWires; ++to) {
      for (std::size_t from = 0; from < kWindowWires; ++from) {
        if (from == to) continue;
        const Small next = with_row_added(found[i], to, from);
        if (fewest[next] != kSingular) continue;
        fewest[next] = static_cast<std::uint8_t>(fewest[found[i]] + 1);
        found.push_back(next);
      }
    }
  }
  return fewest;
}

std::uint8_t fewest_of(Small matrix) {
  static const std::vector<std::uint8_t> fewest = fewest_additions();
  return fewest[matrix];
}

/// Bits of marks_: a line left outside the window reads the wire, or writes it. The low bits are
/// the number of the wire in the window, from 1; 0: not in the window.
constexpr std::uint8_t kRead = 0x80;
constexpr std::uint8_t kWritten = 0x40;
constexpr std::uint8_t kNumber = 0x0f;

}  // namespace

InPlaceWalk::InPlaceWalk(InPlaceCircuit circuit, std::uint64_t seed, const Options& options)
    : options_(options),
      random_(seed),
      circuit_(std::move(circuit)),
      best_(circuit_),
      names_(circuit_.size()),
      values_(circuit_.size()),
      level_(circuit_.size()),
      marks_(circuit_.size()) {
  for (std::size_t wire = 0; wire < circuit_.size(); ++wire) inputs_.push_back(random_());
  levels_ = best_levels_ = levels_of(circuit_.lines);
}

std::uint64_t InPlaceWalk::run(std::uint64_t moves, std::size_t enough) {
  for (std::uint64_t made = 0; made < moves; ++made) {
    if (circuit_.lines.empty() || (best_levels_.too_many == 0 && best_.xors() <= enough))
      return made;
    const std::uint64_t bits = random_();
    if ((bits & 0xffff) < options_.orders) {
      order_anew(bits >> 16);
    } else {
      add_anew(bits >> 16);
    }
  }
  return moves;
}

bool InPlaceWalk::may_grow(std::uint64_t bits) const {
  if (levels_.sum != 0) return (bits & 7) == 0;
  return circuit_.xors() < best_.xors() + options_.slack && (bits & 0xffff) < options_.climbs;
}

InPlaceWalk::Levels InPlaceWalk::levels_of(const std::vector<Line>& lines) {
  Levels levels;
  if (options_.depth == 0) return levels;
  std::ranges::fill(level_, 0U);
  for (const auto& [to, from] : lines) {
    const std::size_t level = std::max(level_[to], level_[from]) + 1;
    level_[to] = level_[from] = static_cast<std::uint32_t>(level);
    levels.sum += std::max(level, options_.level) - options_.level;
    levels.too_many = std::max(levels.too_many, std::max(level, options_.depth) - options_.depth);
  }
  return levels;
}

/// Replaces the lines of the circuit by next_. With a depth, does so only if lines plus Levels::sum
/// do not grow, or by at most `slack` at the rate `climbs`. True if replaced.
bool InPlaceWalk::offer(std::uint64_t bits) {
  const Levels levels = levels_of(next_);
  if (options_.depth != 0) {
    const std::size_t before = circuit_.xors() + levels_.sum;
    const std::size_t after = next_.size() + levels.sum;
    if (after > before + ((bits & 0xffff) < options_.climbs ? options_.slack : 0)) return false;
  }
  std::swap(circuit_.lines, next_);
  levels_ = levels;
  return true;
}

void InPlaceWalk::keep_best() {
  if (std::pair(levels_.too_many, circuit_.xors()) <
      std::pair(best_levels_.too_many, best_.xors())) {
    best_ = circuit_;
    best_levels_ = levels_;
  }
}

/// Sets held_ to the values that wires other than `to` hold in the lines from `begin` to `end`, and
/// added_ to the lines among them that add to `to`.
void InPlaceWalk::collect(std::size_t begin, std::size_t end, Wire to) {
  const std::vector<Line>& lines = circuit_.lines;
  values_ = inputs_;
  for (std::size_t i = 0; i < begin; ++i) values_[lines[i].to] ^= values_[lines[i].from];
  held_.clear();
  added_.clear();
  added_value_.clear();
  for (std::size_t wire = 0; wire < values_.size(); ++wire) {
    if (wire == to) continue;
    held_.push_back({values_[wire], static_cast<std::uint32_t>(begin), static_cast<Wire>(wire)});
  }
  for (std::size_t i = begin; i < end; ++i) {
    const Line& line = lines[i];
    values_[line.to] ^= values_[line.from];
    if (line.to == to) {
      added_.push_back(i);
      added_value_.push_back(values_[line.from]);
    } else {
      held_.push_back({values_[line.to], static_cast<std::uint32_t>(i + 1), line.to});
    }
  }
  places_.assign(std::bit_ceil(2 * held_.size() + 1), 0);
  const std::size_t mask = places_.size() - 1;
  for (std::uint32_t number = 0; number < held_.size(); ++number) {
    const std::uint64_t value = held_[number].value;
    std::size_t place = value & mask;
    while (places_[place] != 0 && held_[places_[place] - 1].value != value) {
      place = (place + 1) & mask;
    }
    // If several wires hold the value, chance decides.
    if (places_[place] == 0 || (random_() & 1) != 0) places_[place] = number + 1;
  }
}

/// The number of a held value plus 1; 0 if no wire holds it.
std::uint32_t InPlaceWalk::find(std::uint64_t value) const {
  const std::size_t mask = places_.size() - 1;
  for (std::size_t place = value & mask;; place = (place + 1) & mask) {
    const std::uint32_t found = places_[place];
    if (found == 0 || held_[found - 1].value == value) return found;
  }
}

void InPlaceWalk::add_anew(std::uint64_t bits) {
  const std::vector<Line>& lines = circuit_.lines;
  const std::size_t chosen = random_.below(static_cast<std::uint32_t>(lines.size()));
  const Wire to = lines[chosen].to;
  std::size_t begin = chosen;
  std::size_t end = chosen;
  while (begin > 0 && lines[begin - 1].from != to) --begin;
  while (end < lines.size() && lines[end].from != to) ++end;
  collect(begin, end, to);

  // The chosen line first, then others.
  const auto first = static_cast<std::size_t>(std::ranges::find(added_, chosen) - added_.begin());
  std::swap(added_[0], added_[first]);
  std::swap(added_value_[0], added_value_[first]);
  const bool grows = may_grow(bits);
  const std::size_t num_taken =
      grows ? 1 : std::min<std::size_t>(added_.size(), (bits >> 16 & 1) != 0 ? 3 : 2);
  for (std::size_t i = 1; i < num_taken; ++i) {
    const std::size_t other = i + random_.below(static_cast<std::uint32_t>(added_.size() - i));
    std::swap(added_[i], added_[other]);
    std::swap(added_value_[i], added_value_[other]);
  }
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < num_taken; ++i) sum ^= added_value_[i];

  // Adds the sum by one held value, else by two. If two lines were taken, not by the same two
  // values.
  std::array<std::uint32_t, 2> by{0, 0};
  if (sum != 0) {
    by[0] = num_taken > 1 || !grows ? find(sum) : 0;
    std::uint32_t num_alike = 0;
    for (std::uint32_t number = 1; by[0] == 0 || num_alike != 0; ++number) {
      if (number > held_.size()) break;
      const std::uint64_t value = held_[number - 1].value;
      if (num_taken == 2 && (value == added_value_[0] || value == added_value_[1])) continue;
      const std::uint32_t other = find(value ^ sum);
      if (other != 0 && random_.below(++num_alike) == 0) by = {number, other};
    }
    if (by[0] == 0) return;
  }
  std::sort(added_.begin(), added_.begin() + static_cast<std::ptrdiff_t>(num_taken));

  // Adds each value at a random line at which its wire holds the value.
  std::array<std::size_t, 2> at{};
  for (std::size_t i = 0; i < 2; ++i) {
    if (by[i] == 0) continue;
    const Held& held = held_[by[i] - 1];
    std::size_t last = held.line;
    while (last < end && lines[last].to != held.wire) ++last;
    at[i] = held.line + random_.below(static_cast<std::uint32_t>(last - held.line + 1));
  }
  next_.clear();
  std::size_t taken = 0;
  for (std::size_t i = 0; i <= lines.size(); ++i) {
    for (std::size_t k = 0; k < 2; ++k) {
      if (by[k] != 0 && at[k] == i) next_.push_back({to, held_[by[k] - 1].wire});
    }
    if (i == lines.size()) break;
    if (taken < num_taken && added_[taken] == i) {
      ++taken;
    } else {
      next_.push_back(lines[i]);
    }
  }
  if (offer(bits >> 32)) keep_best();
}

void InPlaceWalk::order_anew(std::uint64_t bits) {
  const std::vector<Line>& lines = circuit_.lines;
  const std::size_t first = random_.below(static_cast<std::uint32_t>(lines.size()));
  std::array<Wire, kWindowWires> wires{lines[first].to, lines[first].from};
  std::size_t num_wires = 2;
  std::ranges::fill(marks_, std::uint8_t{0});
  marks_[wires[0]] = 1;
  marks_[wires[1]] = 2;
  Small matrix = with_row_added(kIdentity, 0, 1);
  std::array<std::size_t, kWindowLines> members{first};
  std::size_t num_members = 1;
  std::uint64_t chances = random_();
  const std::size_t reach = std::min(lines.size(), first + kWindowReach);
  for (std::size_t i = first + 1; i < reach && num_members < kWindowLines; ++i) {
    const auto [to, from] = lines[i];
    // Line i can move before the lines left outside if none of them reads `to` or writes `from`.
    bool joins = (marks_[to] & kRead) == 0 && (marks_[from] & kWritten) == 0;
    const bool is_new = (marks_[to] & kNumber) == 0 || (marks_[from] & kNumber) == 0;
    if (joins && is_new) {
      joins = ((marks_[to] | marks_[from]) & kNumber) != 0 && num_wires < kWindowWires &&
              (chances & 3) != 0;
      chances = std::rotr(chances, 2);
      if (joins) {
        const Wire added = (marks_[to] & kNumber) == 0 ? to : from;
        wires[num_wires++] = added;
        marks_[added] = static_cast<std::uint8_t>(marks_[added] | num_wires);
      }
    }
    if (joins) {
      matrix = with_row_added(matrix, (marks_[to] & kNumber) - 1U, (marks_[from] & kNumber) - 1U);
      members[num_members++] = i;
    } else {
      marks_[to] |= kWritten;
      marks_[from] |= kRead;
    }
  }
  const bool grows = may_grow(bits);
  if (num_members == 1 && !grows) return;

  // Decomposes the matrix from its last addition of rows back, until a permutation is left.
  std::array<Line, kWindowLines + 1> undone;
  std::size_t num_undone = 0;
  const auto undo = [&](std::size_t to, std::size_t from) {
    matrix = with_row_added(matrix, to, from);
    undone[num_undone++] = {static_cast<Wire>(to), static_cast<Wire>(from)};
  };
  if (grows && fewest_of(matrix) == num_members) {
    const auto count = static_cast<std::uint32_t>(num_wires);
    const std::uint32_t to = random_.below(count);
    undo(to, (to + 1 + random_.below(count - 1)) % count);
  }
  while (fewest_of(matrix) != 0) {
    std::uint32_t num_alike = 0;
    std::pair<std::size_t, std::size_t> chosen;
    for (std::size_t to = 0; to < num_wires; ++to) {
      for (std::size_t from = 0; from < num_wires; ++from) {
        if (from == to || fewest_of(with_row_added(matrix, to, from)) + 1 != fewest_of(matrix)) {
          continue;
        }
        if (random_.below(++num_alike) == 0) chosen = {to, from};
      }
    }
    undo(chosen.first, chosen.second);
  }
  if (num_undone > num_members && !grows) return;

  // Row r of the permutation names the wire that takes the place of wires[r].
  std::iota(names_.begin(), names_.end(), Wire{0});
  std::array<Wire, kWindowWires> holder{};
  for (std::size_t r = 0; r < num_wires; ++r) {
    holder[r] = wires[static_cast<std::size_t>(std::countr_zero(matrix >> (4 * r) & 15U))];
    names_[wires[r]] = holder[r];
  }
  next_.assign(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(first));
  while (num_undone > 0) {
    const Line& line = undone[--num_undone];
    next_.push_back({holder[line.to], holder[line.from]});
  }
  std::size_t member = 0;
  for (std::size_t i = first; i < lines.size(); ++i) {
    if (member < num_members && members[member] == i) {
      ++member;
    } else {
      next_.push_back({names_[lines[i].to], names_[lines[i].from]});
    }
  }
  if (!offer(bits >> 32)) return;
  for (Wire& output : circuit_.outputs) output = names_[output];
  keep_best();
}

}  // namespace xorloom
