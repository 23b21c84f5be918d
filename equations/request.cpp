#include "equations/request.hpp"

#include <fmt/format.h>

#include "codes/error.hpp"
#include "codes/linear_map.hpp"
#include "equations/direct.hpp"

namespace xorloom {
namespace {

Program program_of(const Code& code, const Request& request) {
  if (!request.updated.empty()) return direct_update(code, request.updated, request.rows);
  if (request.erased.empty()) return direct_encoding(code, request.rows);
  return direct_decoding(code, request.erased, request.wanted, request.rows);
}

}  // namespace

Program direct_program(const Code& code, const Request& request) {
  if (!request.updated.empty() && !request.erased.empty()) {
    fail(Status::kInvalidArgument,
         fmt::format("an update of locations {} while {} are lost is not one set of equations",
                     set_text(request.updated), set_text(request.erased)));
  }
  if (!request.wanted.empty() && request.erased.empty()) {
    fail(Status::kInvalidArgument,
         fmt::format("locations {} are wanted, but none is lost", set_text(request.wanted)));
  }
  Program program = program_of(code, request);
  if (program.outputs.empty()) {
    const std::string what = request.updated.empty() ? "redundant element" : "element that changes";
    fail(Status::kInvalidArgument,
         request.rows.empty() ? fmt::format("{} has no {}", code.name(), what)
                              : fmt::format("rows {} hold no {}", set_text(request.rows), what));
  }
  return program;
}

}  // namespace xorloom
