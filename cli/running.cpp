#include "cli/running.hpp"

#include <fmt/format.h>

#include "codes/error.hpp"
#include "codes/families.hpp"

namespace xorloom::cli {

void check(Status status) {
  if (status != Status::kOk) fail(status, last_error());
}

void check_raw(bool raw, const char* command) {
  if (raw) return;
  fail(Status::kInvalidArgument,
       fmt::format("{} needs --raw: bare chunk files are the only form this version has, and shard "
                   "sets come with the next",
                   command));
}

Code proved_code(const Info& info) {
  return make_code(info.spec, {.packet_bytes = 0, .allow_non_mds = true});
}

void check_chunk_bytes(const Code& code, std::size_t chunk_bytes) {
  const std::size_t multiple = chunk_multiple(code);
  if (chunk_bytes == 0 || chunk_bytes % multiple != 0) {
    fail(Status::kInvalidArgument,
         fmt::format("--chunk-bytes = {} is not a multiple of {}, as {} needs", chunk_bytes,
                     multiple, code.spec));
  }
}

std::string speed_text(std::size_t data_bytes, double seconds) {
  return fmt::format("coding took {:.4f} s, {:.2f} GB/s of data", seconds,
                     gigabytes_per_second(data_bytes, seconds));
}

}  // namespace xorloom::cli
