#pragma once

#include <string>

#include "xorloom/xorloom.h"

// Parts shared by the tests of the C interface.

namespace xorloom {

inline constexpr const char* kSmallSpec = "cauchy:k=3,m=2,w=3";

/// Returns the message of this thread's last failed call.
inline std::string last_sentence() { return xl_last_error(); }

/// A codec that is destroyed with its owner, if it could be made.
struct CodecOwner {
  explicit CodecOwner(const char* spec, const xl_options* options = nullptr)
      : status(xl_codec_create(spec, options, &codec)) {}
  ~CodecOwner() { xl_codec_destroy(codec); }
  CodecOwner(const CodecOwner&) = delete;
  CodecOwner& operator=(const CodecOwner&) = delete;

  xl_codec* codec = nullptr;
  int status;
};

}  // namespace xorloom
