#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codes/code.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

// The code of Codec's functions named below; runtime/files/user_bytes.hpp says where data lies.

/// Codec::data_bytes.
std::size_t stripe_data_bytes(const Code& code, std::size_t chunk_bytes) noexcept;

/// Codec::chunk_bytes_for.
std::size_t stripe_chunk_bytes(const Code& code, std::size_t data_bytes);

/// Codec::spread.
Status spread_data(const Code& code, std::span<const std::uint8_t> data,
                   std::uint8_t* const* chunks, std::size_t chunk_bytes) noexcept;

/// Codec::collect.
Status collect_data(const Code& code, const std::uint8_t* const* chunks, std::size_t chunk_bytes,
                    std::span<std::uint8_t> data) noexcept;

}  // namespace xorloom
