#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "xorloom/xorloom.hpp"

namespace xorloom::python {

/// The bytes of a Python object that has the buffer protocol, held while this lives. No copy.
class Bytes {
 public:
  /// `what` begins the message of an error.
  ///
  /// Errors: throws Error: kInvalidArgument if the object has no buffer, if its bytes are not
  ///         contiguous, or if they are read-only and `is_written`.
  Bytes(pybind11::handle object, bool is_written, const char* what);
  Bytes(Bytes&& other) noexcept;
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  Bytes& operator=(Bytes&&) = delete;
  ~Bytes();

  std::uint8_t* data() const { return static_cast<std::uint8_t*>(view_.buf); }
  std::size_t size() const { return static_cast<std::size_t>(view_.len); }

 private:
  Py_buffer view_{};
};

/// The chunks of a call: one object per location, or None for a chunk that is not needed.
class ChunkBuffers {
 public:
  /// Shape:  written lists the locations whose chunks are written.
  /// Errors: throws Error, kInvalidArgument, as Bytes does, if there are more or fewer than
  ///         `locations`, or if they have different lengths.
  ChunkBuffers(const pybind11::sequence& chunks, std::size_t locations,
               std::span<const std::size_t> written);

  std::uint8_t* const* pointers() const { return pointers_.data(); }

  /// Bytes of each chunk; 0 if all are None.
  std::size_t chunk_bytes() const { return chunk_bytes_; }

 private:
  std::vector<Bytes> buffers_;
  std::vector<std::uint8_t*> pointers_;
  std::size_t chunk_bytes_ = 0;
};

}  // namespace xorloom::python
