#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "codes/text/error.hpp"

namespace xorloom::test {

/// The Error that a call throws. kOk and no text: it throws none.
struct Thrown {
  Status kind = Status::kOk;
  std::string what;
  bool says(std::string_view words) const { return what.find(words) != std::string::npos; }
};

inline Thrown thrown_by(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  }
  return {};
}

}  // namespace xorloom::test
