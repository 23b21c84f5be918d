#include "integrations/mpi/exchange.hpp"

#include <algorithm>
#include <climits>

namespace xorloom::mpi {

std::size_t Exchange::add_requests(std::size_t number) {
  const std::size_t first = requests_.size();
  requests_.resize(first + number, MPI_REQUEST_NULL);
  return first;
}

void Exchange::send(std::size_t request, const std::uint8_t* data, std::size_t bytes, int to,
                    int tag) {
  MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, to, tag, comm_->get(), &requests_[request]);
  times_->bytes_sent += bytes;
}

void Exchange::receive(std::size_t request, std::uint8_t* data, std::size_t bytes, int from,
                       int tag) {
  MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE, from, tag, comm_->get(), &requests_[request]);
  times_->bytes_received += bytes;
}

bool Exchange::are_done(std::size_t first, std::size_t number) const {
  const auto from = requests_.begin() + static_cast<std::ptrdiff_t>(first);
  return std::all_of(from, from + static_cast<std::ptrdiff_t>(number),
                     [](MPI_Request request) { return request == MPI_REQUEST_NULL; });
}

void Exchange::run(const std::vector<std::unique_ptr<Task>>& tasks) {
  const Timer all(times_->exchange);
  indices_.resize(requests_.size());
  for (;;) {
    bool has_moved = false;
    bool is_over = true;
    for (const auto& task : tasks) {
      has_moved = task->advance() || has_moved;
      is_over = is_over && task->finished();
    }
    if (is_over) return;
    const auto number = static_cast<int>(requests_.size());
    int completed = 0;
    if (has_moved) {
      MPI_Testsome(number, requests_.data(), &completed, indices_.data(), MPI_STATUSES_IGNORE);
      continue;
    }
    const Timer timer(times_->waiting);
    MPI_Waitsome(number, requests_.data(), &completed, indices_.data(), MPI_STATUSES_IGNORE);
    // Nothing is on its way and nothing can be done: ending is better than waiting for ever.
    if (completed == MPI_UNDEFINED) MPI_Abort(comm_->get(), EXIT_FAILURE);
  }
}

void Exchange::try_to(const std::function<void()>& work) {
  Trouble trouble = attempt(work);
  if (trouble_.status == Status::kOk) trouble_ = std::move(trouble);
}

void Exchange::note(Status status) {
  if (status != Status::kOk && trouble_.status == Status::kOk) trouble_ = {status, last_error()};
}

void Exchange::note_bad(BadShard shard) {
  if (std::ranges::find(bad_, shard) == bad_.end()) bad_.push_back(shard);
}

}  // namespace xorloom::mpi
