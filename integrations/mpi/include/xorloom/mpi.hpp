#pragma once

// Erasure coding over MPI: every rank protects a buffer of its own by chunks on other ranks.
//
//   auto store = xorloom::mpi::Store::directory("/local/checkpoint");  // local to the node
//   auto done = xorloom::mpi::encode(comm, buffer, bytes, "rs:k=10,m=4", store);
//   // … nodes are lost, and the program starts again
//   done = xorloom::mpi::rebuild(comm, store);
//   done = xorloom::mpi::decode(comm, buffer, bytes, store);
//
// All functions that take a communicator are collective: all of its ranks call them with the same
// options and specs; buffers, sizes, permissions, stores and host names may differ. They return the
// same status and the same sentence on all ranks, and throw nothing. They work on a duplicate of
// the communicator, so that messages of the program are never mixed with theirs.
//
// The buffer of rank r becomes a set of n shards in the format that docs/shard-format.md defines,
// one per location of the code. They lie on n different ranks, if there are that many.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "xorloom/xorloom.hpp"

namespace xorloom::mpi {

/// Work of this rank in a call, in seconds and bytes.
struct Times {
  double total = 0;
  double coding = 0;    ///< copying data to where it is coded, coding it, and checksums
  double storing = 0;   ///< reading and writing shards
  double waiting = 0;   ///< waiting for messages when nothing else was to be done
  double exchange = 0;  ///< from the first message to the last, with all that is done meanwhile
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
};

/// Result of a call. Status and sentence are the same on all ranks.
struct [[nodiscard]] Outcome {
  Status status = Status::kOk;
  std::string sentence{};  ///< why status is not kOk
  Times times{};           ///< times of this rank
};

/// Storage of a rank's shards. A copy refers to the same storage.
class XORLOOM_API Store {
 public:
  /// A directory, made if it is not there. Ranks may share one; it need not be visible to others.
  static Store directory(std::string path);

  /// Memory of this process. It is gone when the process ends or the last copy is destroyed.
  static Store memory();

  class Backend;  // the library's own
  Backend& backend() const noexcept { return *backend_; }

 private:
  explicit Store(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {}
  std::shared_ptr<Backend> backend_;
};

/// A chunk to be rebuilt, and the ranks that take part.
struct RepairSites {
  int root = 0;                       ///< the rank that rebuilds the chunk
  std::vector<int> helpers{};         ///< the other ranks that read chunks, ascending
  const std::vector<int>* domains{};  ///< number of each rank's failure domain
};

/// Chooses how partial sums travel: returns one parent per helper, in the order of helpers. A
/// parent is the root or another helper. Called on the root.
using Route = std::function<std::vector<int>(const RepairSites&)>;

/// Every helper sends to the root.
XORLOOM_API std::vector<int> star(const RepairSites& sites);
/// The helpers pass sums on from one to the next. Helpers of one domain follow one another, and
/// those in the root's domain come last.
XORLOOM_API std::vector<int> chain(const RepairSites& sites);
/// In each domain one helper joins the sums of the others and sends one to the root. In the root's
/// domain all send to the root.
XORLOOM_API std::vector<int> tree(const RepairSites& sites);

/// Failure domains: the ranks of one domain are counted as lost together.
enum class Domains {
  kRanks,  ///< each rank by itself; chunks are placed by rotation
  kHosts,  ///< ranks on one host
  kFile,   ///< the domains that Options::host_file names
};

struct Options {
  std::string label = "data";  ///< names what is kept, so that a store holds several things
  Domains domains = Domains::kRanks;
  std::string host_file = "";  ///< lines "HOST DOMAIN"; # begins a comment
  std::string host = "";       ///< host name of this rank; "": MPI_Get_processor_name
  /// Permissions of the data of this rank, as for chmod; shards remember them. The shards
  /// themselves are for their owner alone.
  unsigned permissions = 0600;
  /// Bytes of a chunk of one stripe, rounded up for the code. 0: 64 KiB.
  std::size_t block_bytes = 0;
  /// Bytes of a message, of whole blocks and at least one. 0: 256 KiB.
  std::size_t slice_bytes = 0;
  int slices_in_flight = 3;  ///< per chunk, 1 to 64
  bool sync = true;          ///< files are on disk (fsync) before a call returns
  /// inspect() and rebuild() read all shards, and take those with a damaged block as gone. If not,
  /// rebuild() and decode() still find damage in what they read, and do without that shard.
  bool check_blocks = false;
  /// Route of sums in rebuild(). Null: helpers send to the root either the parts of chunks that it
  /// needs or sums of them, whichever is less.
  Route route = nullptr;
  xorloom::Options codec{};  ///< options of each rank's codec
};

/// Numbers of losses that a placement survives, whichever they are.
struct Survival {
  std::size_t chunks = 0;         ///< chunks of a set, as the code promises
  std::size_t ranks = 0;          ///< ranks
  std::size_t domains = 0;        ///< whole failure domains
  std::size_t most_per_rank = 0;  ///< chunks of one set on one rank
};

/// State of the data of one rank.
struct SetState {
  int owner = 0;                ///< the rank whose data it is
  std::uint64_t bytes = 0;      ///< size of the data; unknown and 0 if no shard is left
  unsigned permissions = 0600;  ///< Options::permissions of the owner
  std::vector<std::size_t> missing{};
  bool recoverable = false;
};

/// State of the data that was encoded last.
struct State {
  std::string spec{};
  std::uint64_t generation = 0;
  int ranks = 0;                 ///< ranks that called encode()
  std::vector<SetState> sets{};  ///< by owner, one per rank that called encode()

  /// True if nothing is missing.
  XORLOOM_API bool is_whole() const noexcept;
  /// A line per rank with missing chunks; "" if none are missing.
  XORLOOM_API std::string text() const;
};

/// Encodes the buffer of each rank. When it returns, what was encoded before under the same label
/// is replaced. If it fails or the program ends before, that is still there.
///
/// Shape:  the sizes may differ, and be 0.
/// Errors: kParse or kInvalidArgument if spec or options are wrong; kIo if a store cannot be
///         written; kUnsupported if memory runs out.
XORLOOM_API Outcome encode(MPI_Comm comm, const void* buffer, std::size_t bytes,
                           std::string_view spec, Store& store, const Options& options = {});

/// Says which chunks are gone and what can be rebuilt. It looks at headers and lengths of
/// shards, and at blocks if Options::check_blocks says so.
///
/// Errors: kIo if a store cannot be read, or if there is nothing with the label.
XORLOOM_API Outcome inspect(MPI_Comm comm, Store& store, State& state, const Options& options = {});

/// Rebuilds all chunks that are gone or damaged. Each goes to the rank that encode() would have
/// given it to; or, if the number of ranks is another than then, to one with few chunks of its set.
///
/// Errors: those of inspect(); kInvalidArgument if a route is none; kDamaged if the data of some
///         rank cannot be recovered. What can be rebuilt is rebuilt before.
XORLOOM_API Outcome rebuild(MPI_Comm comm, Store& store, const Options& options = {});

/// Gives each rank its data again. Chunks may be missing; their data is decoded on the way.
///
/// Shape:  bytes is what the rank encoded: State::sets[rank].bytes.
/// Errors: those of inspect(); kInvalidArgument if bytes differ on some rank, or if there are more
///         or fewer ranks than then; kDamaged if the data of some rank cannot be recovered.
XORLOOM_API Outcome decode(MPI_Comm comm, void* buffer, std::size_t bytes, Store& store,
                           const Options& options = {});

/// Says what losses the placement survives that encode() would choose.
XORLOOM_API Outcome survives(MPI_Comm comm, std::string_view spec, Survival& survival,
                             const Options& options = {});

/// Times of encoding in seconds: the longest of all ranks, in the fastest of several rounds.
struct Phases {
  double coding = 0;           ///< coding alone, without messages
  double exchange = 0;         ///< messages alone, of the same sizes
  double both = 0;             ///< both at once, as encode() does it
  std::uint64_t bytes = 0;     ///< bytes that a rank sends to others, the most of all ranks
  std::uint64_t messages = 0;  ///< messages that a rank sends to others, the most of all ranks
};

/// Times the parts of encoding apart, in memory alone.
XORLOOM_API Outcome measure(MPI_Comm comm, std::size_t bytes, std::string_view spec, int rounds,
                            Phases& phases, const Options& options = {});

}  // namespace xorloom::mpi
