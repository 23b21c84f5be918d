#pragma once

#include "codes/code.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// How the library makes a codec of a code that is built already, as building one may take longer
/// than all else: the promise of a code is proved by trying sets of losses. Users name a code by
/// its spec.
struct CodecAccess {
  /// The codec of a code. Options that belong to the code, its packets and its promise, are not
  /// looked at.
  ///
  /// Errors: throws what Codec throws, but for the spec.
  static Codec codec_of(Code code, const Options& options);
};

}  // namespace xorloom
