#pragma once

#include <mpi.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "xorloom/mpi.hpp"

namespace xorloom::mpi {

/// A duplicate of a communicator, so that messages of the caller never meet ours.
class Communicator {
 public:
  explicit Communicator(MPI_Comm of);
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator();

  MPI_Comm get() const noexcept { return comm_; }
  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 0;
};

/// An error on this rank; kOk: none.
struct Trouble {
  Status status = Status::kOk;
  std::string sentence;
};

/// The trouble that an exception is.
Trouble trouble_of(const std::exception_ptr& exception);

/// Runs what may throw; its trouble is kept, not thrown.
Trouble attempt(const std::function<void()>& work);

/// Throws the trouble of the lowest rank that has one, on all ranks. So all ranks go on or none.
///
/// Errors: throws Error with the same status and sentence on all ranks.
void agree(const Communicator& comm, const Trouble& trouble);

/// attempt() and agree(): work that all ranks do before they go on.
void agree_on(const Communicator& comm, const std::function<void()>& work);

/// Returns the contributions of all ranks, by rank, on all ranks.
std::vector<std::vector<std::uint8_t>> all_gather(const Communicator& comm,
                                                  std::span<const std::uint8_t> bytes);
std::vector<std::uint64_t> all_gather(const Communicator& comm, std::uint64_t number);

/// Throws kInvalidArgument on all ranks if they gave different texts. `what` names the text.
void agree_on_same(const Communicator& comm, const std::string& text, const std::string& what);

/// Runs a collective call on a duplicate of the communicator. Returns its outcome, which has the
/// status and sentence of an exception. Precondition: all ranks throw the same.
Outcome collective(MPI_Comm comm, const std::function<void(const Communicator&, Times&)>& call);

}  // namespace xorloom::mpi
