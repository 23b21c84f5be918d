#include "cli/shell/request.hpp"

#include "cli/shell/options.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {

void add_over(Command& command, Over& over) {
  add_choice(
      command, "--over", {"bits", "symbols"},
      [&over](const std::string& word) { over = word == "symbols" ? Over::kSymbols : Over::kBits; },
      "what the elements are. bits: rows of bits, which equations XOR; symbols: the symbols of "
      "GF(2^w), which equations also multiply by coefficients; default: bits");
}

void add_request(Command& command, Request& request) {
  add_erase(command, request.erased,
            "rebuild these lost locations, such as 0-2,5, instead of encoding; they are counted "
            "from 0");
  add_numbers(command, "--want", request.wanted, 0, kMaxLocation,
              "rebuild only these of the lost locations");
  add_numbers(command, "--update", request.updated, 0, kMaxLocation,
              "update the redundancy after a change of these locations' data, instead of encoding");
  add_numbers(command, "--rows", request.rows, 0, kMaxRow,
              "compute only these rows of the chunks that are computed, such as 0-3,5; only inputs "
              "that they need are listed");
  add_over(command, request.over);
}

void check_request_options(const Request& request) {
  if (!request.updated.empty() && !request.erased.empty()) {
    fail(Status::kInvalidArgument,
         "--update changes data that is there, and --erase names what is lost: give one of them");
  }
  if (!request.wanted.empty() && request.erased.empty()) {
    fail(Status::kInvalidArgument, "--want chooses among the chunks of --erase: give --erase too");
  }
}

}  // namespace xorloom::cli
