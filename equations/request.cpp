#include "equations/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "codes/error.hpp"
#include "codes/linear_map.hpp"
#include "equations/direct.hpp"
#include "equations/reuse_rebuilt.hpp"
#include "equations/share_pairs.hpp"
#include "equations/survivors.hpp"

namespace xorloom {
namespace {

/// Direct XORs whose common pairs may be shared to choose among survivors: some tenths of a second.
constexpr std::size_t kMostSharedXors = 20'000;

void check_request(const Request& request) {
  if (!request.updated.empty() && !request.erased.empty()) {
    fail(Status::kInvalidArgument,
         fmt::format("an update of locations {} while {} are lost is not one set of equations",
                     set_text(request.updated), set_text(request.erased)));
  }
  if (!request.wanted.empty() && request.erased.empty()) {
    fail(Status::kInvalidArgument,
         fmt::format("locations {} are wanted, but none is lost", set_text(request.wanted)));
  }
}

void check_outputs(const Code& code, const Request& request, const Program& program) {
  if (!program.outputs.empty()) return;
  const std::string what = request.updated.empty() ? "redundant element" : "element that changes";
  fail(Status::kInvalidArgument,
       request.rows.empty() ? fmt::format("{} has no {}", code.name(), what)
                            : fmt::format("rows {} hold no {}", set_text(request.rows), what));
}

}  // namespace

Program direct_program(const Code& code, const Request& request) {
  check_request(request);
  const auto& [erased, wanted, updated, rows] = request;
  Program program = !updated.empty() ? direct_update(code, updated, rows)
                    : erased.empty() ? direct_encoding(code, rows)
                                     : direct_decoding(code, erased, wanted, rows);
  check_outputs(code, request, program);
  return program;
}

Program searched_program(const Code& code, const Request& request) {
  if (request.erased.empty()) return direct_program(code, request);
  check_request(request);
  const std::vector<LinearMap> maps =
      best_survivors(code, request.erased, request.wanted, request.rows, kMostShared);
  const auto program_of = [&](const LinearMap& map) {
    return reuse_rebuilt(code, direct_program(code, map, request.rows));
  };
  Program best = program_of(maps.front());
  check_outputs(code, request, best);
  const std::size_t each = std::max<std::size_t>(1, direct_xors(code, maps.front(), request.rows));
  const std::size_t num_shared = std::min(maps.size(), kMostSharedXors / each);
  if (num_shared < 2) return best;
  std::size_t fewest = share_pairs(best).xors();
  for (std::size_t i = 1; i < num_shared; ++i) {
    Program program = program_of(maps[i]);
    const std::size_t xors = share_pairs(program).xors();
    if (xors >= fewest) continue;
    fewest = xors;
    best = std::move(program);
  }
  return best;
}

}  // namespace xorloom
