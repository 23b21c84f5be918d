#include "codes/error.hpp"

namespace xorloom {

const char* to_string(Status status) noexcept {
  switch (status) {
    case Status::kOk:
      return "ok";
    case Status::kInvalidArgument:
      return "invalid argument";
    case Status::kParse:
      return "parse error";
    case Status::kUnsupported:
      return "unsupported";
    case Status::kIo:
      return "input/output error";
    case Status::kDamaged:
      return "damaged beyond repair";
    case Status::kInternal:
      return "internal error";
  }
  return "unknown status";
}

void fail(Status kind, const std::string& sentence) { throw Error(kind, sentence); }

}  // namespace xorloom
