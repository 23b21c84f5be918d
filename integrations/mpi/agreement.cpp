#include "integrations/mpi/agreement.hpp"

#include <algorithm>
#include <climits>
#include <new>
#include <numeric>

namespace xorloom::mpi {

Communicator::Communicator(MPI_Comm of) {
  MPI_Comm_dup(of, &comm_);
  // A call that fails on one rank would leave the others waiting. So it ends the program.
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

Communicator::~Communicator() { MPI_Comm_free(&comm_); }

Trouble trouble_of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  } catch (const std::bad_alloc&) {
    return {Status::kUnsupported, "there is not enough memory"};
  } catch (const std::exception& error) {
    return {Status::kInternal, error.what()};
  } catch (...) {
    return {Status::kInternal, "an unknown exception was thrown"};
  }
}

Trouble attempt(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (...) {
    return trouble_of(std::current_exception());
  }
}

void agree(const Communicator& comm, const Trouble& trouble) {
  const int mine = trouble.status == Status::kOk ? INT_MAX : comm.rank();
  int first = INT_MAX;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm.get());
  if (first == INT_MAX) return;
  constexpr std::size_t kMostBytes = 2048;
  int head[2] = {static_cast<int>(trouble.status),
                 static_cast<int>(std::min(trouble.sentence.size(), kMostBytes))};
  MPI_Bcast(head, 2, MPI_INT, first, comm.get());
  std::string sentence = trouble.sentence.substr(0, kMostBytes);
  sentence.resize(static_cast<std::size_t>(head[1]));
  MPI_Bcast(sentence.data(), head[1], MPI_CHAR, first, comm.get());
  throw Error(static_cast<Status>(head[0]), sentence);
}

void agree_on(const Communicator& comm, const std::function<void()>& work) {
  agree(comm, attempt(work));
}

std::vector<std::vector<std::uint8_t>> all_gather(const Communicator& comm,
                                                  std::span<const std::uint8_t> bytes) {
  const std::vector<std::uint64_t> sizes = all_gather(comm, bytes.size());
  const std::uint64_t total = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  // The sizes are the same on all ranks, so all of them refuse alike.
  if (total > INT_MAX) {
    throw Error(Status::kUnsupported, "the headers of all shards have " + std::to_string(total) +
                                          " bytes, more than " + std::to_string(INT_MAX));
  }
  std::vector<int> counts(sizes.begin(), sizes.end());
  std::vector<int> offsets(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), 0);
  std::vector<std::uint8_t> all(total);
  MPI_Allgatherv(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, all.data(), counts.data(),
                 offsets.data(), MPI_BYTE, comm.get());
  std::vector<std::vector<std::uint8_t>> parts;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto from = all.begin() + offsets[i];
    parts.emplace_back(from, from + counts[i]);
  }
  return parts;
}

std::vector<std::uint64_t> all_gather(const Communicator& comm, std::uint64_t number) {
  std::vector<std::uint64_t> all(static_cast<std::size_t>(comm.size()));
  MPI_Allgather(&number, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm.get());
  return all;
}

void agree_on_same(const Communicator& comm, const std::string& text, const std::string& what) {
  auto size = static_cast<int>(text.size());
  MPI_Bcast(&size, 1, MPI_INT, 0, comm.get());
  std::string first = text;
  first.resize(static_cast<std::size_t>(size));
  MPI_Bcast(first.data(), size, MPI_CHAR, 0, comm.get());
  Trouble trouble;
  if (first != text) {
    trouble = {Status::kInvalidArgument, "rank " + std::to_string(comm.rank()) + " gives another " +
                                             what + " than rank 0: '" + text.substr(0, 200) + "'"};
  }
  agree(comm, trouble);
}

Outcome collective(MPI_Comm of, const std::function<void(const Communicator&, Times&)>& call) {
  const double start = MPI_Wtime();
  Outcome outcome;
  const Communicator comm(of);
  const Trouble trouble = attempt([&] { call(comm, outcome.times); });
  outcome.status = trouble.status;
  outcome.sentence = trouble.sentence;
  outcome.times.total = MPI_Wtime() - start;
  return outcome;
}

}  // namespace xorloom::mpi
