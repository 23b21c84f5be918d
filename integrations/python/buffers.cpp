#include "integrations/python/buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "codes/text/counted.hpp"

namespace xorloom::python {

Bytes::Bytes(pybind11::handle object, bool is_written, const char* what) {
  if (PyObject_CheckBuffer(object.ptr()) == 0) {
    throw Error(
        Status::kInvalidArgument,
        fmt::format("{} is a {}, which has no buffer of bytes", what,
                    std::string(pybind11::str(pybind11::type::of(object).attr("__name__")))));
  }
  if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) {
    PyErr_Clear();
    throw Error(Status::kInvalidArgument,
                fmt::format("the bytes of {} do not follow one another in memory", what));
  }
  if (is_written && view_.readonly != 0) {
    PyBuffer_Release(&view_);
    throw Error(Status::kInvalidArgument,
                fmt::format("{} is written, and its buffer is read-only", what));
  }
}

Bytes::Bytes(Bytes&& other) noexcept : view_(std::exchange(other.view_, Py_buffer{})) {}

Bytes::~Bytes() {
  if (view_.obj != nullptr) PyBuffer_Release(&view_);
}

ChunkBuffers::ChunkBuffers(const pybind11::sequence& chunks, std::size_t locations,
                           std::span<const std::size_t> written) {
  if (chunks.size() != locations) {
    throw Error(Status::kInvalidArgument,
                fmt::format("there are {} chunks, and the code has {}", chunks.size(), locations));
  }
  buffers_.reserve(locations);
  pointers_.resize(locations);
  std::size_t first = locations;
  for (std::size_t location = 0; location < locations; ++location) {
    const pybind11::object chunk = chunks[location];
    if (chunk.is_none()) continue;
    const std::string what = fmt::format("chunk {}", location);
    const bool is_written = std::ranges::find(written, location) != written.end();
    const Bytes& buffer = buffers_.emplace_back(chunk, is_written, what.c_str());
    if (first == locations) {
      first = location;
      chunk_bytes_ = buffer.size();
    } else if (buffer.size() != chunk_bytes_) {
      throw Error(Status::kInvalidArgument,
                  fmt::format("chunk {} has {}, and chunk {} has {}", location,
                              counted(buffer.size(), "byte"), first, chunk_bytes_));
    }
    pointers_[location] = buffer.data();
  }
}

}  // namespace xorloom::python
