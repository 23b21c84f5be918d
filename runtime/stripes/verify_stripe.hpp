#pragma once

#include <cstddef>
#include <cstdint>

#include "codes/code.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Codec::verify. `encoding` is the plan that encodes.
Status verify_stripe(const Code& code, const Plan& encoding, const std::uint8_t* const* chunks,
                     std::size_t chunk_bytes) noexcept;

}  // namespace xorloom
