// A checkpoint of every rank that survives the loss of any two: mpirun -n 6 example DIRECTORY
//
// Each rank gives a directory that is local to its node. The example encodes an array that is
// distributed over the ranks, loses the directories of two ranks, and recovers it.

#include <mpi.h>

#include <cstdio>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "xorloom/mpi.hpp"

namespace {

bool is_ok(const xorloom::mpi::Outcome& outcome) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (outcome.status != xorloom::Status::kOk && rank == 0)
    std::fprintf(stderr, "%s\n", outcome.sentence.c_str());
  return outcome.status == xorloom::Status::kOk;  // the same on all ranks
}

int run(const std::string& base) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string directory = base + "/node-" + std::to_string(rank);
  auto store = xorloom::mpi::Store::directory(directory);

  std::vector<double> part(100'000 + 1000 * static_cast<std::size_t>(rank));
  std::iota(part.begin(), part.end(), 1e6 * rank);
  const std::size_t bytes = part.size() * sizeof(double);
  if (!is_ok(xorloom::mpi::encode(MPI_COMM_WORLD, part.data(), bytes, "rs:k=4,m=2", store)))
    return 1;

  if (rank == 1 || rank == 4) std::filesystem::remove_all(directory);  // two nodes are lost

  xorloom::mpi::State state;
  if (!is_ok(xorloom::mpi::inspect(MPI_COMM_WORLD, store, state))) return 1;
  if (rank == 0) std::printf("%s", state.text().c_str());
  if (!is_ok(xorloom::mpi::rebuild(MPI_COMM_WORLD, store))) return 1;

  std::vector<double> again(part.size());
  if (!is_ok(xorloom::mpi::decode(MPI_COMM_WORLD, again.data(), bytes, store))) return 1;
  const int wrong = again == part ? 0 : 1;
  int all_wrong = 0;
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%d ranks have other data than before\n", all_wrong);
  return all_wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = run(argc > 1 ? argv[1] : ".");
  MPI_Finalize();
  return status;
}
