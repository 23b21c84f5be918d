#include "runtime/stripes/update_stripe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "codes/linear_map.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/proof.hpp"
#include "runtime/engine/word_products.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/machine/overlap.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/plans/plan_proof.hpp"
#include "runtime/stripes/add_sums.hpp"
#include "runtime/stripes/scratch_chunks.hpp"

namespace xorloom {
namespace {

/// Splits a map into the part from the inputs of `location` and the part from all other inputs.
std::pair<LinearMap, LinearMap> parts_of(const LinearMap& map, const Code& code,
                                         std::size_t location) {
  std::pair<LinearMap, LinearMap> parts;
  std::vector<std::size_t> columns[2];
  for (std::size_t j = 0; j < map.inputs.size(); ++j) {
    const bool is_of_it = code.location_of_cell(map.inputs[j]) == location;
    columns[is_of_it ? 0 : 1].push_back(j);
  }
  for (LinearMap* part : {&parts.first, &parts.second}) {
    const std::vector<std::size_t>& taken = columns[part == &parts.first ? 0 : 1];
    for (std::size_t i = 0; i < map.outputs.size(); ++i) {
      const bool is_used =
          std::ranges::any_of(taken, [&](std::size_t j) { return map.coefficients(i, j) != 0; });
      if (is_used) part->outputs.push_back(map.outputs[i]);
    }
    for (const std::size_t j : taken) part->inputs.push_back(map.inputs[j]);
    part->coefficients = Matrix(part->outputs.size(), part->inputs.size());
    std::size_t row = 0;
    for (std::size_t i = 0; i < map.outputs.size(); ++i) {
      if (row == part->outputs.size() || part->outputs[row] != map.outputs[i]) continue;
      for (std::size_t j = 0; j < taken.size(); ++j) {
        part->coefficients(row, j) = map.coefficients(i, taken[j]);
      }
      ++row;
    }
  }
  return parts;
}

void check_location(const Code& code, const LinearMap& encoding, std::size_t location) {
  if (location >= code.locations) {
    fail(Status::kInvalidArgument,
         fmt::format("location {} is not one of 0 to {}", location, code.locations - 1));
  }
  const auto has_cells = [&](const std::vector<Cell>& cells) {
    return std::ranges::any_of(cells,
                               [&](Cell cell) { return code.location_of_cell(cell) == location; });
  };
  const bool has_data = has_cells(encoding.inputs);
  if (has_data && !has_cells(encoding.outputs)) return;
  fail(Status::kInvalidArgument,
       fmt::format("location {} of {} holds {}, and only a location of data alone can be updated",
                   location, code.name(), has_data ? "data and redundancy" : "no data"));
}

Status check_buffers(const std::vector<std::size_t>& writes, const std::uint8_t* old_data,
                     const std::uint8_t* new_data, std::uint8_t* const* chunks,
                     std::size_t chunk_bytes) {
  if (new_data == nullptr) return report(Status::kInvalidArgument, "the new data is null");
  if (chunks == nullptr) {
    return report(Status::kInvalidArgument, "the array of chunk pointers is null");
  }
  for (const std::size_t location : writes) {
    if (chunks[location] == nullptr) {
      return report(Status::kInvalidArgument, "the pointer to chunk {} is null, and it is written",
                    location);
    }
    const bool overlaps_old =
        old_data != nullptr && overlap(chunks[location], old_data, chunk_bytes);
    if (overlaps_old || overlap(chunks[location], new_data, chunk_bytes)) {
      return report(Status::kInvalidArgument,
                    "chunk {}, which is written, overlaps the {} data within {}", location,
                    overlaps_old ? "old" : "new", counted(chunk_bytes, "byte"));
    }
    for (const std::size_t other : writes) {
      if (other >= location || !overlap(chunks[location], chunks[other], chunk_bytes)) continue;
      return report(Status::kInvalidArgument,
                    "chunk {}, which is written, overlaps chunk {} within {}", location, other,
                    counted(chunk_bytes, "byte"));
    }
  }
  return Status::kOk;
}

/// The map that encodes, and its parts: from the inputs of one location, then from the others.
struct UpdateMaps {
  LinearMap encoding;
  std::vector<LinearMap> parts;
};

UpdateMaps update_maps(const Code& code, std::size_t location) {
  UpdateMaps maps{encoding_map(code), {}};
  check_location(code, maps.encoding, location);
  auto [changed, rest] = parts_of(maps.encoding, code, location);
  maps.parts = {std::move(changed), std::move(rest)};
  return maps;
}

}  // namespace

Plan make_update_plan(const Code& code, std::size_t location, const PlanOptions& options) {
  const UpdateMaps maps = update_maps(code, location);
  return make_part_plans(code, maps.encoding, maps.parts, options, 1).front();
}

std::optional<LinearMap> update_map(const Code& code, std::size_t location) {
  if (code.subchunks != 1) return std::nullopt;
  UpdateMaps maps = update_maps(code, location);
  prove_map(maps.encoding, code);
  prove_sum(code, maps.encoding, maps.parts);
  return std::move(maps.parts.front());
}

const WordProducts* update_products(const Code& code, const PlanOptions& options) noexcept {
  if (code.arrangement != Arrangement::kWord || code.subchunks != 1 || code.plane_bytes != 0 ||
      options.engine != Engine::kAuto) {
    return nullptr;
  }
  return default_products(code.field, options.isa);
}

std::optional<Status> update_words(const Code& code, const WordProducts& products,
                                   std::size_t location, const std::uint8_t* old_data,
                                   const std::uint8_t* new_data, std::uint8_t* const* chunks,
                                   std::size_t chunk_bytes) noexcept try {
  const auto data = std::ranges::find(code.data, location);
  if (data == code.data.end()) return std::nullopt;
  const auto column = static_cast<std::size_t>(data - code.data.begin());
  std::vector<std::size_t> writes;  // locations
  std::vector<Field::Symbol> factors;
  for (std::size_t r = 0; r < code.redundant.size(); ++r) {
    if (code.parity(r, column) == 0) continue;
    writes.push_back(code.redundant[r]);
    factors.push_back(code.parity(r, column));
  }
  if (writes.empty() || !products.is_accepted(writes.size())) return std::nullopt;
  Status status = check_chunk_bytes(code, chunk_bytes);
  if (status != Status::kOk || chunk_bytes == 0) return status;
  if (status = check_adder(); status != Status::kOk) return status;
  status = check_buffers(writes, old_data, new_data, chunks, chunk_bytes);
  if (status != Status::kOk) return status;
  const ScratchChunks scratch(code, old_data != nullptr ? 1 : 0, chunk_bytes);
  const std::size_t piece_bytes = old_data != nullptr ? scratch.piece_bytes() : chunk_bytes;
  std::vector<std::uint8_t*> sums(writes.size());
  for (std::size_t at = 0; at < chunk_bytes; at += piece_bytes) {
    const std::size_t bytes = std::min(piece_bytes, chunk_bytes - at);
    const std::uint8_t* difference = new_data + at;
    if (old_data != nullptr) {
      add(scratch[0], old_data + at, new_data + at, bytes);
      difference = scratch[0];
    }
    for (std::size_t i = 0; i < writes.size(); ++i) sums[i] = chunks[writes[i]] + at;
    products.run({writes.size(), 1, bytes, &difference, sums.data(), true},
                 [&](std::size_t row, std::size_t) { return factors[row]; });
  }
  return Status::kOk;
} catch (...) {
  return report_exception();
}

Status update_stripe(const Code& code, const Plan& plan, const std::uint8_t* old_data,
                     const std::uint8_t* new_data, std::uint8_t* const* chunks,
                     std::size_t chunk_bytes) noexcept try {
  if (const Status status = check_chunk_bytes(code, chunk_bytes); status != Status::kOk) {
    return status;
  }
  if (chunk_bytes == 0 || plan.writes().empty()) return Status::kOk;
  if (const Status status = check_adder(); status != Status::kOk) return status;
  const Status status = check_buffers(plan.writes(), old_data, new_data, chunks, chunk_bytes);
  if (status != Status::kOk) return status;
  const std::size_t location = plan.reads().front();
  const std::vector<std::size_t>& writes = plan.writes();
  const ScratchChunks scratch(code, writes.size() + 1, chunk_bytes);
  std::vector<std::uint8_t*> pieces(code.locations);
  for (std::size_t i = 0; i < writes.size(); ++i) pieces[writes[i]] = scratch[i];
  // The last piece comes first: if its last block is short, memory may run out. The buffers were
  // checked, so nothing can fail once some of the chunks have changed.
  const std::size_t last = (chunk_bytes - 1) / scratch.piece_bytes();
  for (std::size_t i = last + 1; i-- > 0;) {
    const std::size_t at = i * scratch.piece_bytes();
    const std::size_t bytes = std::min(scratch.piece_bytes(), chunk_bytes - at);
    pieces[location] = const_cast<std::uint8_t*>(new_data) + at;  // only read
    if (old_data != nullptr) {
      pieces[location] = scratch[writes.size()];
      add(pieces[location], old_data + at, new_data + at, bytes);
    }
    if (const Status ran = plan.run(pieces.data(), bytes); ran != Status::kOk) return ran;
    for (const std::size_t written : writes) add_to(chunks[written] + at, pieces[written], bytes);
  }
  return Status::kOk;
} catch (...) {
  return report_exception();
}

}  // namespace xorloom
