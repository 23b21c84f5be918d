#include "integrations/python/codec_binding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "codes/text/counted.hpp"
#include "integrations/python/buffers.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/plans/codec_access.hpp"
#include "xorloom/error_location.hpp"
#include "xorloom/fragment.hpp"
#include "xorloom/xorloom.hpp"

namespace py = pybind11;

namespace xorloom::python {
namespace {

using Locations = std::vector<std::size_t>;

Options options_of(int threads, std::size_t packet_bytes, const std::string& isa,
                   const std::string& executor, const std::string& style, const std::string& engine,
                   const std::string& effort, bool allow_non_mds, bool improves_plans,
                   const std::string& atlas, const std::string& wisdom) {
  Options options;
  options.threads = threads;
  options.packet_bytes = packet_bytes;
  if (!isa.empty()) options.isa = parse_isa(isa);
  options.executor = parse_executor(executor);
  options.style = parse_equation_form(style);
  options.engine = parse_engine(engine);
  options.effort = parse_effort(effort);
  options.allow_non_mds = allow_non_mds;
  options.improves_plans = improves_plans;
  options.atlas = atlas;
  options.wisdom = wisdom;
  return options;
}

void run(const Plan& plan, const py::sequence& chunks, std::size_t locations) {
  const ChunkBuffers buffers(chunks, locations, plan.writes());
  const py::gil_scoped_release others_may_run;
  check(plan.run(buffers.pointers(), buffers.chunk_bytes()));
}

/// A plan and how many chunks its code has.
struct CodecPlan {
  Plan plan;
  std::size_t locations;
};

py::list to_fragments(const Codec& codec, const py::object& data) {
  const Bytes bytes(data, false, "data");
  std::vector<std::vector<std::uint8_t>> made;
  {
    const py::gil_scoped_release others_may_run;
    made = make_fragments(codec, {bytes.data(), bytes.size()});
  }
  py::list fragments;
  for (const std::vector<std::uint8_t>& fragment : made) {
    fragments.append(py::bytes(reinterpret_cast<const char*>(fragment.data()), fragment.size()));
  }
  return fragments;
}

py::bytes from_fragments(const Codec& codec, const py::sequence& fragments) {
  std::vector<Bytes> kept;
  kept.reserve(py::len(fragments));
  std::vector<std::span<const std::uint8_t>> given;
  for (const py::handle fragment : fragments) {
    if (fragment.is_none()) continue;
    kept.emplace_back(fragment, false, "a fragment");
    given.emplace_back(kept.back().data(), kept.back().size());
  }
  std::vector<std::uint8_t> data;
  {
    const py::gil_scoped_release others_may_run;
    data = join_fragments(codec, given);
  }
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

py::list split(const Codec& codec, const py::object& data) {
  const Bytes bytes(data, false, "data");
  const std::size_t locations = codec.info().locations;
  const std::size_t chunk_bytes = codec.chunk_bytes_for(bytes.size());
  py::list chunks;
  std::vector<std::uint8_t*> pointers;
  for (std::size_t i = 0; i < locations; ++i) {
    const py::bytearray chunk(nullptr, chunk_bytes);
    pointers.push_back(reinterpret_cast<std::uint8_t*>(PyByteArray_AS_STRING(chunk.ptr())));
    chunks.append(chunk);
  }
  const py::gil_scoped_release others_may_run;
  check(codec.spread({bytes.data(), bytes.size()}, pointers.data(), chunk_bytes));
  check(codec.encode(pointers.data(), chunk_bytes));
  return chunks;
}

py::bytes join(const Codec& codec, const py::sequence& chunks, std::size_t data_bytes) {
  const ChunkBuffers buffers(chunks, codec.info().locations, {});
  const std::size_t most = codec.data_bytes(buffers.chunk_bytes());
  if (data_bytes > most) {
    throw Error(Status::kInvalidArgument, fmt::format("the chunks hold {} of data, fewer than {}",
                                                      counted(most, "byte"), data_bytes));
  }
  py::bytes data(nullptr, data_bytes);
  auto* const to = reinterpret_cast<std::uint8_t*>(PyBytes_AS_STRING(data.ptr()));
  const py::gil_scoped_release others_may_run;
  check(codec.collect(buffers.pointers(), buffers.chunk_bytes(), {to, data_bytes}));
  return data;
}

bool verify(const Codec& codec, const py::sequence& chunks) {
  const ChunkBuffers buffers(chunks, codec.info().locations, {});
  const py::gil_scoped_release others_may_run;
  const Status status = codec.verify(buffers.pointers(), buffers.chunk_bytes());
  if (status == Status::kDamaged) return false;
  check(status);
  return true;
}

ErrorLocation locate_errors(const Codec& codec, const py::sequence& chunks, const Locations& lost) {
  const ChunkBuffers buffers(chunks, codec.info().locations, {});
  const py::gil_scoped_release others_may_run;
  return codec.locate_errors(buffers.pointers(), buffers.chunk_bytes(), lost);
}

py::bytes fingerprint(const Codec& codec, const py::object& chunk, std::uint64_t key) {
  const Bytes bytes(chunk, false, "chunk");
  std::vector<std::uint8_t> made(codec.fingerprint_bytes());
  {
    const py::gil_scoped_release others_may_run;
    check(codec.fingerprint(bytes.data(), bytes.size(), key, made));
  }
  return {reinterpret_cast<const char*>(made.data()), made.size()};
}

ErrorLocation check_fingerprints(const Codec& codec, const py::sequence& fingerprints,
                                 const Locations& lost) {
  const ChunkBuffers buffers(fingerprints, codec.info().locations, {});
  if (buffers.chunk_bytes() != codec.fingerprint_bytes()) {
    throw Error(Status::kInvalidArgument,
                fmt::format("the fingerprints have {}, and the code's have {}",
                            counted(buffers.chunk_bytes(), "byte"), codec.fingerprint_bytes()));
  }
  const py::gil_scoped_release others_may_run;
  return codec.check_fingerprints(buffers.pointers(), lost);
}

const char* name_of(ErrorLocation::Verdict verdict) {
  switch (verdict) {
    case ErrorLocation::Verdict::kConsistent:
      return "consistent";
    case ErrorLocation::Verdict::kLocated:
      return "located";
    case ErrorLocation::Verdict::kUnknown:
      break;
  }
  return "unknown";
}

void bind_error_location(py::module_& module) {
  py::class_<ErrorLocation>(module, "ErrorLocation", "Which chunks of a stripe are wrong.")
      .def_property_readonly(
          "verdict", [](const ErrorLocation& of) { return name_of(of.verdict); },
          "'consistent', 'located', or 'unknown': chunks are wrong, and it cannot be told which.")
      .def_property_readonly(
          "wrong", [](const ErrorLocation& of) { return of.wrong; },
          "The locations of the wrong chunks, ascending, if they are located.")
      .def_property_readonly(
          "unique_up_to", [](const ErrorLocation& of) { return of.unique_up_to; },
          "`wrong` is right if at most this many chunks are wrong. With 0, no other set as small "
          "was found, but one with special errors could exist.")
      .def("__repr__", [](const ErrorLocation& of) {
        return fmt::format("ErrorLocation('{}', wrong=[{}], unique_up_to={})", name_of(of.verdict),
                           fmt::join(of.wrong, ", "), of.unique_up_to);
      });
}

void update(const Codec& codec, std::size_t location, const py::object& old_data,
            const py::object& new_data, const py::sequence& chunks) {
  const ChunkBuffers buffers(chunks, codec.info().locations,
                             CodecAccess::encoding_now(codec).writes());
  const Bytes after(new_data, false, "new_data");
  std::optional<Bytes> before;
  if (!old_data.is_none()) before.emplace(old_data, false, "old_data");
  for (const Bytes* bytes : {&after, before ? &*before : &after}) {
    if (bytes->size() == buffers.chunk_bytes()) continue;
    throw Error(
        Status::kInvalidArgument,
        fmt::format("{} has {}, and the chunks have {}", bytes == &after ? "new_data" : "old_data",
                    counted(bytes->size(), "byte"), buffers.chunk_bytes()));
  }
  const py::gil_scoped_release others_may_run;
  check(codec.update(location, before ? before->data() : nullptr, after.data(), buffers.pointers(),
                     buffers.chunk_bytes()));
}

CodecPlan repair(const Codec& codec, const Locations& erased, const Locations& wanted,
                 const std::vector<std::uint64_t>& read_costs, bool whole_chunks) {
  Repair wish;
  wish.erased = erased;
  wish.wanted = wanted;
  wish.read_costs = read_costs;
  wish.whole_chunks = whole_chunks;
  return {codec.repair(wish), codec.info().locations};
}

/// The stripes of a batch, held while they are coded: one sequence of buffers for each.
class StripeBuffers {
 public:
  /// Shape:  written(i) lists the locations of stripe i that are written, ascending.
  /// Errors: throws Error, kInvalidArgument, as ChunkBuffers does, and if the chunks of two stripes
  ///         have different lengths.
  template <typename Written>
  StripeBuffers(const py::sequence& stripes, std::size_t locations, const Written& written) {
    buffers_.reserve(stripes.size());
    for (std::size_t i = 0; i < stripes.size(); ++i) {
      const py::object chunks = stripes[i];
      if (!py::isinstance<py::sequence>(chunks)) {
        throw Error(Status::kInvalidArgument, fmt::format("stripe {} is no sequence of chunks", i));
      }
      try {
        buffers_.emplace_back(py::reinterpret_borrow<py::sequence>(chunks), locations, written(i));
      } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("stripe {}: {}", i, error.what()));
      }
      pointers_.push_back(buffers_.back().pointers());
      if (buffers_.back().chunk_bytes() == chunk_bytes()) continue;
      throw Error(Status::kInvalidArgument,
                  fmt::format("the chunks of stripe {} have {}, and those of stripe 0 have {}", i,
                              counted(buffers_.back().chunk_bytes(), "byte"), chunk_bytes()));
    }
  }

  std::span<std::uint8_t* const* const> pointers() const { return pointers_; }
  std::size_t chunk_bytes() const { return buffers_.empty() ? 0 : buffers_[0].chunk_bytes(); }

 private:
  std::vector<ChunkBuffers> buffers_;
  std::vector<std::uint8_t* const*> pointers_;
};

/// Runs a batch without the interpreter's lock. The names of the statuses; raises what the first
/// stripe that failed says, if that is wanted.
template <typename Work>
std::vector<std::string> run_batch(const StripeBuffers& stripes, bool raises, const Work& work) {
  std::vector<Status> statuses(stripes.pointers().size());
  {
    const py::gil_scoped_release others_may_run;
    const Status status = work(std::span(statuses));
    if (raises) check(status);
  }
  std::vector<std::string> names;
  names.reserve(statuses.size());
  for (const Status status : statuses) names.emplace_back(to_string(status));
  return names;
}

std::vector<std::string> encode_batch(const Codec& codec, const py::sequence& stripes,
                                      bool raises) {
  const Plan& encoding = CodecAccess::encoding_now(codec);
  const StripeBuffers buffers(stripes, codec.info().locations, [&](std::size_t) {
    return std::span<const std::size_t>(encoding.writes());
  });
  return run_batch(buffers, raises, [&](std::span<Status> statuses) {
    return codec.encode_batch(buffers.pointers(), buffers.chunk_bytes(), statuses);
  });
}

std::vector<std::string> decode_batch(const Codec& codec, const py::sequence& stripes,
                                      std::vector<Locations> erased, bool raises) {
  if (erased.size() != 1 && erased.size() != stripes.size()) {
    throw Error(Status::kInvalidArgument,
                fmt::format("{} sets of losses are not one for each of {} stripes", erased.size(),
                            stripes.size()));
  }
  for (Locations& lost : erased) std::ranges::sort(lost);
  const std::vector<std::span<const std::size_t>> losses(erased.begin(), erased.end());
  const StripeBuffers buffers(stripes, codec.info().locations,
                              [&](std::size_t i) { return losses[losses.size() == 1 ? 0 : i]; });
  return run_batch(buffers, raises, [&](std::span<Status> statuses) {
    return codec.decode_batch(buffers.pointers(), losses, buffers.chunk_bytes(), statuses);
  });
}

std::vector<std::uint32_t> listed(std::span<const std::uint32_t> units) {
  return {units.begin(), units.end()};
}

void bind_plan(py::module_& module) {
  py::class_<CodecPlan>(module, "Plan",
                        "One computation: encoding, or rebuilding given lost chunks.")
      .def_property_readonly(
          "reads", [](const CodecPlan& p) { return p.plan.reads(); },
          "The locations whose chunks are read, ascending.")
      .def_property_readonly(
          "writes", [](const CodecPlan& p) { return p.plan.writes(); },
          "The locations whose chunks are written, ascending.")
      .def(
          "units_read",
          [](const CodecPlan& p, std::size_t location) {
            return listed(p.plan.units_read(location));
          },
          py::arg("location"), "The units that are read of a location; Codec.units make a chunk.")
      .def(
          "units_written",
          [](const CodecPlan& p, std::size_t location) {
            return listed(p.plan.units_written(location));
          },
          py::arg("location"), "The units that are computed of a location.")
      .def(
          "run",
          [](const CodecPlan& p, const py::sequence& chunks) { run(p.plan, chunks, p.locations); },
          py::arg("chunks"),
          "Runs the plan, in place. chunks has one buffer per location, all of the same length. "
          "Chunks that are neither read nor written may be None.");
}

}  // namespace

void bind_codec(py::module_& module) {
  bind_plan(module);
  bind_error_location(module);
  py::class_<Codec>(module, "Codec", "An erasure code prepared for this machine.")
      .def(
          py::init([](const std::string& spec, int threads, std::size_t packet_bytes,
                      const std::string& isa, const std::string& executor, const std::string& style,
                      const std::string& engine, const std::string& effort, bool allow_non_mds,
                      bool improves_plans, const std::string& atlas, const std::string& wisdom) {
            const Options options =
                options_of(threads, packet_bytes, isa, executor, style, engine, effort,
                           allow_non_mds, improves_plans, atlas, wisdom);
            const py::gil_scoped_release others_may_run;
            return Codec(spec, options);
          }),
          py::arg("spec"), py::kw_only(), py::arg("threads") = 1, py::arg("packet_bytes") = 0,
          py::arg("isa") = "", py::arg("executor") = "auto", py::arg("style") = "auto",
          py::arg("engine") = "auto", py::arg("effort") = "auto", py::arg("allow_non_mds") = false,
          py::arg("improves_plans") = false, py::arg("atlas") = "", py::arg("wisdom") = "",
          "Prepares the code that a spec names, such as 'cauchy-good:k=10,m=4,w=8'. "
          "With threads = 0, all threads of the machine work.")
      .def_property_readonly(
          "spec", [](const Codec& c) { return c.info().spec; },
          "The spec with every default written out.")
      .def_property_readonly(
          "locations", [](const Codec& c) { return c.info().locations; }, "The chunks of a stripe.")
      .def_property_readonly("k", [](const Codec& c) { return c.info().k; })
      .def_property_readonly("m", [](const Codec& c) { return c.info().m; })
      .def_property_readonly("w", [](const Codec& c) { return c.info().w; })
      .def_property_readonly(
          "rows", [](const Codec& c) { return c.info().rows; }, "The elements of a location.")
      .def_property_readonly(
          "packet_bytes", [](const Codec& c) { return c.info().packet_bytes; },
          "The bytes of a packet; 0 if the code runs on words.")
      .def_property_readonly("chunk_multiple", &Codec::chunk_multiple,
                             "The length of chunks is a multiple of this.")
      .def_property_readonly(
          "units", [](const Codec& c) { return c.info().units; },
          "The units of a chunk that can be read separately.")
      .def_property_readonly(
          "isa", [](const Codec& c) { return to_string(c.info().isa); },
          "The instruction set in use.")
      .def_property_readonly(
          "executor", [](const Codec& c) { return to_string(c.info().executor); },
          "The executor in use.")
      .def_property_readonly(
          "code_memory", [](const Codec& c) { return to_string(c.info().code_memory); },
          "Where the machine code for encoding is; 'none' if kernels run.")
      .def("round_up", &Codec::round_up, py::arg("chunk_bytes"),
           "The smallest length of a chunk that is at least chunk_bytes and not 0.")
      .def("data_bytes", &Codec::data_bytes, py::arg("chunk_bytes"),
           "How many bytes of data a stripe holds.")
      .def("chunk_bytes_for", &Codec::chunk_bytes_for, py::arg("data_bytes"),
           "The smallest length of the chunks of a stripe that holds that many bytes of data.")
      .def(
          "encode",
          [](const Codec& c, const py::sequence& chunks) {
            const ChunkBuffers buffers(chunks, c.info().locations,
                                       CodecAccess::encoding_now(c).writes());
            const py::gil_scoped_release others_may_run;
            check(c.encode(buffers.pointers(), buffers.chunk_bytes()));
          },
          py::arg("chunks"),
          "Computes the redundancy of a stripe from its data, in place. chunks has one buffer per "
          "location, all of the same length.")
      .def(
          "decode",
          [](const Codec& c, const py::sequence& chunks, const Locations& erased) {
            const ChunkBuffers buffers(chunks, c.info().locations, erased);
            const py::gil_scoped_release others_may_run;
            check(c.decode(buffers.pointers(), erased, buffers.chunk_bytes()));
          },
          py::arg("chunks"), py::arg("erased"),
          "Rebuilds the erased chunks of a stripe, in place. Chunks that are not needed may be "
          "None.")
      .def(
          "encode_batch", &encode_batch, py::arg("stripes"), py::kw_only(),
          py::arg("raises") = true,
          "Encodes many stripes in one call: stripes has one sequence of chunks per stripe, all of "
          "the same length. If a stripe fails, the others are done. Raises what the first that "
          "failed says; with raises = False, returns the name of each stripe's status.")
      .def(
          "decode_batch",
          [](const Codec& c, const py::sequence& stripes, const Locations& erased, bool raises) {
            return decode_batch(c, stripes, {erased}, raises);
          },
          py::arg("stripes"), py::arg("erased"), py::kw_only(), py::arg("raises") = true,
          "Rebuilds the same erased chunks of many stripes in one call; see encode_batch.")
      .def("decode_batch", &decode_batch, py::arg("stripes"), py::arg("erased"), py::kw_only(),
           py::arg("raises") = true,
           "Rebuilds erased chunks of many stripes in one call, erased having a list for each; see "
           "encode_batch.")
      .def("verify", &verify, py::arg("chunks"),
           "Whether the redundancy of a stripe agrees with its data.")
      .def("locate_errors", &locate_errors, py::arg("chunks"), py::arg("lost") = Locations{},
           "Which chunks of a stripe are wrong, without checksums: the fewest that explain why its "
           "redundancy does not agree with its data. Chunks of lost locations may be None.")
      .def("fingerprint", &fingerprint, py::arg("chunk"), py::arg("key"),
           "A keyed hash of a chunk, as bytes: those of a stripe agree as its chunks do.")
      .def("check_fingerprints", &check_fingerprints, py::arg("fingerprints"),
           py::arg("lost") = Locations{},
           "Which chunks are wrong by their fingerprints, of one key: what locate_errors says of "
           "the chunks. Fingerprints of lost locations may be None.")
      .def("update", &update, py::arg("location"), py::arg("old_data"), py::arg("new_data"),
           py::arg("chunks"),
           "Carries a change of the data of one location over to the redundancy, in place. The "
           "chunk of the location is not touched. With old_data = None, new_data is the "
           "difference.")
      .def("split", &split, py::arg("data"),
           "Copies data into the chunks of a new stripe, which are bytearrays, and encodes it. "
           "Zeros follow the data.")
      .def("join", &join, py::arg("chunks"), py::arg("data_bytes"),
           "The first bytes of data of a stripe. Chunks that hold none of them may be None.")
      .def("to_fragments", &to_fragments, py::arg("data"),
           "Data as fragments, which are bytes: the chunks of a stripe, each behind a header as "
           "pyeclib writes it, with checksums.")
      .def("from_fragments", &from_fragments, py::arg("fragments"),
           "The data of enough fragments, in any order. Damaged ones count as not there.")
      .def(
          "encoding",
          [](const Codec& c) {
            return CodecPlan{c.encoding(), c.info().locations};
          },
          "The plan that encode runs.")
      .def(
          "decoding",
          [](const Codec& c, const Locations& erased, const Locations& wanted) {
            return CodecPlan{c.decoding(erased, wanted), c.info().locations};
          },
          py::arg("erased"), py::arg("wanted") = Locations{},
          "A plan that rebuilds the wanted ones of the erased locations; if none are named, all.")
      .def("repair", &repair, py::arg("erased"), py::arg("wanted") = Locations{},
           py::arg("read_costs") = std::vector<std::uint64_t>{}, py::arg("whole_chunks") = false,
           "A plan that reads what costs the least. read_costs has the cost of reading a unit of "
           "each location.")
      .def("__repr__", [](const Codec& c) { return fmt::format("Codec('{}')", c.info().spec); });
}

}  // namespace xorloom::python
