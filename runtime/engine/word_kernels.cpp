#include "runtime/engine/word_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "codes/text/error.hpp"
#include "equations/build/sparse_sums.hpp"
#include "equations/ir/live_slots.hpp"
#include "runtime/engine/accepted_kernels.hpp"
#include "runtime/engine/word_products.hpp"

namespace xorloom {
namespace {

/// Least bytes of a slice of each input. While the steps go over one slice, the next one of all
/// inputs is fetched ahead: the shorter it is, the less it is disturbed.
constexpr std::size_t kMinSliceBytes = 768;

/// If all cells together have fewer bytes, they stay in L2, and fetching ahead costs.
constexpr std::size_t kPrefetchedFrom = std::size_t{2} << 20;

const WordKernel& word_kernel(const Code& code, Isa isa) {
  const std::size_t w = code.field.w();
  if (code.plane_bytes == 0) return word_kernel_of(w, isa);
  if (w == 16 && code.plane_bytes == kPlaneBytes) return kernels_of(isa).words->planes;
  fail(Status::kUnsupported,
       "planes of {} bytes and w = {}, but kernels take planes of {} and w = 16", code.plane_bytes,
       w, kPlaneBytes);
}

/// Bytes of turns of few vectors. With planes, also the part of a turn, which is whole blocks.
std::size_t few_bytes(const Code& code, Isa isa) {
  const std::size_t turn = few_bytes_of(code.field.w(), isa);
  const std::size_t block = plane_block_bytes(code);
  return block == 0 ? turn : std::max(turn, block) + 2 * block;
}

static_assert(kMaxWordRows <= kRowBits);

constexpr std::uint32_t kUnnumbered = ~std::uint32_t{0};

/// Mask of the kernels that add inputs without multiplying, from that of a map: see accept_kernels.
constexpr std::uint32_t rows_of_program(std::uint32_t rows) {
  return (rows & kSeveralSteps) | (rows & ~kSeveralSteps) << kRowBits;
}

}  // namespace

/// Blocks are turns of many vectors. Smaller pieces are turns of few, of which the last may be a
/// part of a vector.
WordKernels::WordKernels(const Code& code, Isa isa, std::size_t num_cells)
    : Computation({.rows = code.subchunks,
                   .column_multiple = 64,
                   .sizes = {kTurnMultiple, few_bytes(code, isa), 1},
                   .kernel_rows = 0}),
      locations_(code.locations),
      kernel_(word_kernel(code, isa)),
      form_(code.field, kernel_.form),
      num_cells_(std::max<std::size_t>(1, num_cells)) {}

WordKernels::WordKernels(const Code& code, const Program& program, Isa isa)
    : WordKernels(code, isa, program.inputs.size() + program.outputs.size()) {
  is_cell_.resize(program.end_of_elements());
  number_of_.resize(program.end_of_elements(), kUnnumbered);
  facts_.counts = kernel_counts(program, isa);
  for (const auto* elements : {&program.inputs, &program.outputs}) {
    for (const Element element : *elements) is_cell_[element] = true;
  }
  for (const std::vector<std::size_t>& group : groups_of(program)) {
    Sums members;
    for (const std::size_t i : group) members.push_back(&program.equations[i]);
    add_steps(members);
  }
  finish_steps(code.plane_bytes == 0 ? default_products(code.field, isa) : nullptr);
  facts_.kernel_rows = rows_of_program(facts_.kernel_rows);
  mark_what_is_read();
  assign_slots();
  is_cell_ = {};
  number_of_ = {};
}

/// Rows read all inputs, also those whose factor is 0. A single row of 1s is a plain sum.
WordKernels::WordKernels(const Code& code, const LinearMap& map, Isa isa)
    : WordKernels(code, isa, map.inputs.size() + map.outputs.size()) {
  const std::size_t inputs = map.inputs.size();
  const std::size_t outputs = map.outputs.size();
  const std::size_t parts = (outputs + kernel_.max_rows - 1) / kernel_.max_rows;
  const bool is_plain =
      outputs == 1 && std::ranges::all_of(map.coefficients.row(0),
                                          [](Field::Symbol factor) { return factor == 1; });
  const auto place = [&](Cell cell) {
    return WordSource{static_cast<std::uint32_t>(cell / code.subchunks),
                      static_cast<std::uint32_t>(cell % code.subchunks), is_plain ? 1U : 0U};
  };
  if (!is_plain) coefficients_.reserve(inputs * outputs);
  steps_.reserve(parts);
  places_.reserve(inputs * parts + outputs);
  for (std::size_t part = 0; part < parts; ++part) {
    Step step;
    step.first_source = places_.size();
    step.num_sources = inputs;
    (is_plain ? step.num_plain : step.num_without_ones) = inputs;
    step.first_factor = coefficients_.size();
    const std::size_t first_row = part * outputs / parts;
    step.rows = (part + 1) * outputs / parts - first_row;
    step.part = part;
    step.parts = parts;
    for (std::size_t i = 0; i < inputs; ++i) {
      places_.push_back(place(map.inputs[i]));
      for (std::size_t r = 0; !is_plain && r < step.rows; ++r) {
        coefficients_.push_back(map.coefficients(first_row + r, i));
      }
    }
    step.first_target = places_.size();
    for (std::size_t r = 0; r < step.rows; ++r)
      places_.push_back(place(map.outputs[first_row + r]));
    steps_.push_back(step);
  }
  finish_steps(code.plane_bytes == 0 ? default_products(code.field, isa) : nullptr);
  if (is_plain) facts_.kernel_rows = rows_of_program(facts_.kernel_rows);
}

/// Sets what follows from all steps. Factors are looked up in `products`, unless that is null.
void WordKernels::finish_steps(const WordProducts* products) {
  const std::size_t bytes = form_.bytes();
  factors_.resize(coefficients_.size() * bytes);
  const auto coefficient = [&](std::size_t, std::size_t i) { return coefficients_[i]; };
  if (products != nullptr) {
    products->write_factors(1, coefficients_.size(), coefficient, factors_.data());
  } else {
    for (std::size_t i = 0; i < coefficients_.size(); ++i) {
      form_.write(coefficients_[i], factors_.data() + i * bytes);
    }
  }
  for (const Step& step : steps_) {
    turn_bytes_ = std::lcm(turn_bytes_, kernel_.turn_bytes[step.rows - 1]);
    facts_.cost += std::max<std::size_t>(1, step.num_sources * step.rows);
    facts_.kernel_rows |= std::uint32_t{1} << (step.rows - 1);
  }
  if (steps_.size() > 1 || facts_.rows > 1) facts_.kernel_rows |= kSeveralSteps;
  slice_bytes_ = (kMinSliceBytes + turn_bytes_ - 1) / turn_bytes_ * turn_bytes_;
}

/// Adds steps for `sums`, with about equal numbers of rows.
void WordKernels::add_steps(const Sums& sums) {
  const std::size_t parts = (sums.size() + kernel_.max_rows - 1) / kernel_.max_rows;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t begin = part * sums.size() / parts;
    const std::size_t end = (part + 1) * sums.size() / parts;
    add_step(std::span(sums).subspan(begin, end - begin));
    steps_.back().part = part;
    steps_.back().parts = parts;
  }
}

WordSource WordKernels::place_of(Element element) {
  if (is_cell_[element]) {
    return {static_cast<std::uint32_t>(element / facts_.rows),
            static_cast<std::uint32_t>(element % facts_.rows), 0};
  }
  std::uint32_t& number = number_of_[element];
  if (number == kUnnumbered) {
    number = static_cast<std::uint32_t>(slot_of_.size());
    slot_of_.push_back(kUnnumbered);
    if (locations_ + slot_of_.size() > kMostPlaces) {
      fail(Status::kUnsupported, "more than {} locations and temporaries together", kMostPlaces);
    }
  }
  return {static_cast<std::uint32_t>(locations_ + number), 0, 0};
}

/// Precondition: the equations read the same elements.
void WordKernels::add_step(std::span<const Equation* const> sums) {
  struct Source {
    WordSource place;
    std::vector<Field::Symbol> factors;  ///< by equation
  };
  std::vector<Source> sources;
  for (std::size_t o = 0; o < sums.front()->operands.size(); ++o) {
    Source source{place_of(sums.front()->operands[o]), {}};
    for (std::size_t r = 0; r < sums.size(); ++r) {
      const Field::Symbol factor = sums[r]->operands[o].coefficient;
      if (factor == 1) source.place.ones |= 1U << r;
      source.factors.push_back(factor);
    }
    sources.push_back(std::move(source));
  }
  // Order of sources: all factors are 1, no factor is 1, some are.
  const std::uint32_t all = (1U << sums.size()) - 1;
  const auto run_of = [&](const Source& source) {
    return source.place.ones == all ? 0 : source.place.ones == 0 ? 1 : 2;
  };
  const auto sources_in = [&](int run) {
    return static_cast<std::size_t>(std::ranges::count(sources, run, run_of));
  };
  std::ranges::stable_sort(sources, {}, run_of);
  Step step;
  step.first_source = places_.size();
  step.num_plain = sources_in(0);
  step.num_without_ones = sources_in(1);
  step.num_sources = sources.size();
  step.first_factor = coefficients_.size();
  step.rows = sums.size();
  for (const Source& source : sources) {
    places_.push_back(source.place);
    if (source.place.ones == all) continue;
    coefficients_.insert(coefficients_.end(), source.factors.begin(), source.factors.end());
  }
  step.first_target = places_.size();
  for (const Equation* sum : sums) places_.push_back(place_of(sum->target));
  steps_.push_back(step);
}

void WordKernels::mark_what_is_read() {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Step*> step_of;  // by place
  for (Step& step : steps_) {
    for (std::size_t i = 0; i < step.num_sources; ++i) {
      const WordSource& source = places_[step.first_source + i];
      const auto made = step_of.find({source.location, source.subchunk});
      if (made != step_of.end()) made->second->is_read = true;
    }
    for (std::size_t r = 0; r < step.rows; ++r) {
      const WordSource& target = places_[step.first_target + r];
      step_of[{target.location, target.subchunk}] = &step;
    }
  }
}

/// Gives each temporary a slot, which is free again after the last step that reads it.
void WordKernels::assign_slots() {
  if (slot_of_.empty()) return;
  std::vector<std::size_t> last_use(slot_of_.size());
  const auto hidden = [&](std::uint32_t location) { return location - locations_; };
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const Step& step = steps_[s];
    for (std::size_t i = 0; i < step.num_sources; ++i) {
      const std::uint32_t location = places_[step.first_source + i].location;
      if (location >= locations_) last_use[hidden(location)] = s;
    }
  }
  std::vector<std::vector<std::uint32_t>> ends_after(steps_.size());
  LiveSlots slots;
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const Step& step = steps_[s];
    for (std::size_t r = 0; r < step.rows; ++r) {
      const std::uint32_t location = places_[step.first_target + r].location;
      if (location < locations_) continue;
      slot_of_[hidden(location)] = slots.take();
      ends_after[std::max(s, last_use[hidden(location)])].push_back(slot_of_[hidden(location)]);
    }
    for (const std::uint32_t slot : ends_after[s]) slots.release(slot);
  }
  num_slots_ = slots.count();
  if (num_slots_ > std::min(kMostSlots, kSlotBytes / 64) || locations_ > kMostSlots) {
    fail(Status::kUnsupported,
         "{} temporaries are alive at once beside {} locations, of which each may be {}",
         num_slots_, locations_, kMostSlots);
  }
  const std::size_t fitting = kSlotBytes / num_slots_ / 64 * 64;
  if (fitting < slice_bytes_) {
    slice_bytes_ = fitting < turn_bytes_ ? fitting : fitting / turn_bytes_ * turn_bytes_;
  }
  temporaries_ = Temporaries(slot_bytes() + (locations_ + num_slots_) * sizeof(std::uint8_t*));
  const auto to_slot = [&](std::uint32_t& location) {
    if (location < locations_) return;
    location = static_cast<std::uint32_t>(locations_ + slot_of_[hidden(location)]);
  };
  for (WordSource& place : places_) to_slot(place.location);
}

std::size_t WordKernels::memory_bytes() const noexcept {
  return sizeof *this + steps_.size() * sizeof steps_[0] + places_.size() * sizeof places_[0] +
         coefficients_.size() * sizeof coefficients_[0] + factors_.size() +
         slot_of_.size() * sizeof slot_of_[0] + temporaries_.memory_bytes();
}

void WordKernels::run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin,
                      std::size_t end, Stores stores) const noexcept {
  const std::size_t subchunk_bytes = columns(chunk_bytes);
  if (num_slots_ != 0) {
    run_in_slots(chunks, subchunk_bytes, {begin, end}, stores);
  } else {
    compute(chunks, subchunk_bytes, {begin, end}, stores);
  }
  if (stores == Stores::kNonTemporal) finish_non_temporal_stores();
}

/// Computes slice by slice, with temporaries in slots that hold one slice each.
void WordKernels::run_in_slots(std::uint8_t* const* chunks, std::size_t subchunk_bytes,
                               ColumnRange range, Stores stores) const noexcept {
  temporaries_.lend([&](std::uint8_t* memory) {
    std::uint8_t* const slots = memory;
    auto* const places = reinterpret_cast<std::uint8_t**>(memory + slot_bytes());
    std::copy_n(chunks, locations_, places);
    for (std::size_t column = range.begin; column < range.end; column += slice_bytes_) {
      for (std::size_t slot = 0; slot < num_slots_; ++slot) {
        places[locations_ + slot] = before(slots + slot * slice_bytes_, column);
      }
      compute(places, subchunk_bytes, {column, std::min(range.end, column + slice_bytes_)}, stores);
    }
  });
}

void WordKernels::compute(std::uint8_t* const* locations, std::size_t subchunk_bytes,
                          ColumnRange range, Stores stores) const noexcept {
  WordBlock block{};
  form_.describe_field(block);
  block.chunks = locations;
  block.subchunk_bytes = subchunk_bytes;
  const bool is_alone = steps_.size() <= 1;
  const std::size_t fetched = is_alone ? turn_bytes_ : slice_bytes_;
  if (subchunk_bytes >= kPrefetchedFrom / num_cells_) block.prefetch_ahead = fetched;
  for (std::size_t column = range.begin; column < range.end;) {
    block.column = column;
    block.bytes = is_alone ? range.end - column : std::min(fetched, range.end - column);
    for (const Step& step : steps_) {
      block.sources = places_.data() + step.first_source;
      block.num_plain = step.num_plain;
      block.num_without_ones = step.num_without_ones;
      block.num_sources = step.num_sources;
      block.factors = factors_.data() + step.first_factor * form_.bytes();
      block.rows = step.rows;
      block.part = is_alone ? 0 : step.part;
      block.parts = is_alone ? 1 : step.parts;
      block.streams = stores == Stores::kNonTemporal && !step.is_read;
      for (std::size_t r = 0; r < step.rows; ++r) {
        const WordSource& target = places_[step.first_target + r];
        block.targets[r] = locations[target.location] + target.subchunk * subchunk_bytes + column;
        if (reinterpret_cast<std::uintptr_t>(block.targets[r]) % 64 != 0) block.streams = false;
      }
      kernel_.combine[step.rows - 1](block);
    }
    column += block.bytes;
  }
}

std::optional<std::string> WordKernels::find_wrong_product(const Field& field) const {
  if (auto wrong = form_.find_wrong_reduction(field)) return wrong;
  if (form_.field() != field) {
    return fmt::format("it is made for {}, not {}", field_text(form_.field()), field_text(field));
  }
  for (std::size_t i = 0; i < coefficients_.size(); ++i) {
    const std::uint8_t* factor = factors_.data() + i * form_.bytes();
    if (auto wrong = form_.find_wrong_entry(field, coefficients_[i], factor)) return wrong;
  }
  return std::nullopt;
}

}  // namespace xorloom
