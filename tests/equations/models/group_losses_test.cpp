#include "equations/models/group_losses.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/tolerance.hpp"
#include "equations/models/cluster.hpp"
#include "equations/models/durability.hpp"
#include "tests/support/refusal.hpp"

namespace xorloom {
namespace {

GroupModel group_of(const Code& code, const LostSets& sets, double mttf, double mttr) {
  return {.locations = code.locations,
          .mttf_hours = mttf,
          .repair_hours = std::vector<double>(sets.most_losses(), mttr)};
}

bool contains(const Estimate& estimate, double value) {
  return std::abs(estimate.mean - value) <= estimate.half_width;
}

}  // namespace

TEST_CASE("The simulation has the textbook durability of RAID 6 in its confidence interval") {
  // Chen et al.: MTTF^3 / (n (n-1) (n-2) MTTR^2), in hours, of 16 disks.
  const Code raid = make_code("raid6:k=14");
  LostSets sets(raid);
  const double textbook = 1.2e6 * 1.2e6 * 1.2e6 / (16.0 * 15 * 14 * 24 * 24);
  CHECK(textbook == doctest::Approx(8.93e11).epsilon(0.001));
  const Estimate estimate =
      simulated_hours_to_loss(group_of(raid, sets, 1.2e6, 24), sets, 400'000, 1);
  CHECK(contains(estimate, textbook));
  CHECK(estimate.half_width / estimate.mean < 0.02);
}

TEST_CASE("Of many confidence intervals, about 95 of 100 contain the exact time") {
  const Code raid = make_code("raid6:k=14");
  LostSets sets(raid);
  const double exact = hours_to_loss({.locations = 16, .losses = 2});
  int containing = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const GroupModel group = group_of(raid, sets, 1.2e6, 24);
    if (contains(simulated_hours_to_loss(group, sets, 20'000, seed), exact)) ++containing;
  }
  CHECK(containing >= 88);
  CHECK(containing <= 100);
}

TEST_CASE("The chain of a code that survives any m losses is that of the durability model") {
  for (const char* spec : {"parity:k=4", "raid6:k=6", "rs:k=10,m=4", "clay:k=4,m=2"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    LostSets sets(code);
    for (const double mttr : {1.0, 24.0, 1000.0}) {
      const double exact = hours_to_loss({.locations = code.locations,
                                          .losses = code.promised_losses,
                                          .mttf_hours = 2e4,
                                          .mttr_hours = mttr});
      CHECK(chain_hours_to_loss(group_of(code, sets, 2e4, mttr), sets) ==
            doctest::Approx(exact).epsilon(1e-9));
    }
  }
}

TEST_CASE("Where losses are common, the simulation meets the chain, too") {
  const Code code = make_code("rs:k=4,m=2");
  LostSets sets(code);
  const GroupModel group = group_of(code, sets, 100, 20);
  const Estimate estimate = simulated_hours_to_loss(group, sets, 200'000, 3);
  CHECK(std::abs(estimate.mean - chain_hours_to_loss(group, sets)) < 1.5 * estimate.half_width);
}

TEST_CASE("With fixed repair times a parity loses data if another disk fails in that time") {
  const Code code = make_code("parity:k=4");
  LostSets sets(code);
  GroupModel group = group_of(code, sets, 1e5, 50);
  group.times = RepairTimes::kFixed;
  const double in_cycle = -std::expm1(-4 * 50 / 1e5);
  // A cycle waits for a first failure of five; then it lasts 50 hours, or less if data are lost.
  const double cycle = 1e5 / 5 + in_cycle / (4 / 1e5);
  const Estimate estimate = simulated_hours_to_loss(group, sets, 200'000, 5);
  CHECK(contains(estimate, cycle / in_cycle));
  // Waiting makes it as much longer as the repair itself would.
  group.waits = {50};
  const double longer = -std::expm1(-4 * 100 / 1e5);
  const Estimate waiting = simulated_hours_to_loss(group, sets, 200'000, 5);
  CHECK(contains(waiting, (1e5 / 5 + longer / (4 / 1e5)) / longer));
}

TEST_CASE("The same seed gives the same estimate, another one another") {
  const Code code = make_code("rs:k=4,m=2");
  LostSets sets(code);
  const GroupModel group = group_of(code, sets, 1e5, 10);
  const double once = simulated_hours_to_loss(group, sets, 1000, 1).mean;
  CHECK(simulated_hours_to_loss(group, sets, 1000, 1).mean == once);
  CHECK(simulated_hours_to_loss(group, sets, 1000, 2).mean != once);
}

TEST_CASE("Which sets are survived is that of the code, and the shares count them") {
  const Code lrc = make_code("lrc:k=4,m=2,l=3");
  LostSets sets(lrc);
  CHECK(sets.most_losses() == 4);
  for (std::size_t losses = 1; losses <= 5; ++losses) {
    const double all = sets_of(lrc, losses);
    const auto lost = static_cast<double>(sets_not_rebuilt(lrc, losses).size());
    CHECK(sets.share_survived(losses) == doctest::Approx(1 - lost / all));
  }
  CHECK(sets.share_survived(3) > 0.5);
  CHECK(sets.share_survived(4) < 1);
}

TEST_CASE("LRC (12,2,2) survives 86 % of the sets of four, as its paper says") {
  const Code lrc = make_code("file:" XORLOOM_EXAMPLES "/lrc_12_2_2.json");
  LostSets sets(lrc);
  CHECK(sets.most_losses() == 4);
  CHECK(sets.share_survived(3) == 1);
  CHECK(sets.share_survived(4) == doctest::Approx(0.8615).epsilon(1e-3));
  // Sets of four that are lost count in the simulation as in the chain.
  const GroupModel group = group_of(lrc, sets, 1000, 24);
  const Estimate estimate = simulated_hours_to_loss(group, sets, 200'000, 1);
  CHECK(estimate.mean == doctest::Approx(chain_hours_to_loss(group, sets)).epsilon(0.05));
}

TEST_CASE("What repairs read grows with the losses as far as the code lets it") {
  const auto reads = [](const char* spec) {
    const Code code = make_code(spec);
    LostSets sets(code);
    return reads_by_losses(code, sets);
  };
  CHECK(reads("rs:k=10,m=4") == std::vector<double>{10, 10, 10, 10});
  CHECK(reads("clay:k=4,m=2").front() == 2.5);
  CHECK(reads("clay:k=4,m=2").back() == 4);
  CHECK(reads("lrc:k=4,m=2,l=3").front() < 3.01);
}

TEST_CASE("A cluster's groups have as many lost chunks as the chain says, and lose as often") {
  const Code code = make_code("rs:k=2,m=1");
  LostSets sets(code);
  const ClusterModel cluster{.nodes = 200,
                             .groups_per_node = 3,
                             .locations = 3,
                             .chunk_bytes = 1e9,
                             .mttf_hours = 1000,
                             .reads = {2},
                             .repair_hours = {1}};
  const ClusterRun run = simulate_cluster(cluster, sets, 200'000, 11);
  CHECK(run.groups == 200);
  CHECK(run.failures == 200'000);
  CHECK(run.hours == doctest::Approx(1e6).epsilon(0.02));
  // Each failure takes a chunk of three groups, whose repairs read two chunks each.
  CHECK(static_cast<double>(run.repairs) == doctest::Approx(6e5).epsilon(0.02));
  CHECK(run.bytes_read == doctest::Approx(2e9 * static_cast<double>(run.repairs)));
  const GroupModel group{
      .locations = 3, .mttf_hours = 1000, .repair_hours = {1}, .waits = run.waits};
  const std::vector<double> shares = chain_shares(group, sets);
  REQUIRE(run.shares.size() == 2);
  CHECK(run.shares[1] == doctest::Approx(shares[1]).epsilon(0.03));
  const double expected =
      static_cast<double>(run.groups) * run.hours / chain_hours_to_loss(group, sets);
  CHECK(expected > 500);
  CHECK(std::abs(static_cast<double>(run.losses) - expected) < 4 * std::sqrt(expected));
  const ClusterRun again = simulate_cluster(cluster, sets, 200'000, 11);
  CHECK(again.losses == run.losses);
  CHECK(again.hours == run.hours);
}

TEST_CASE("With unreadable bits, chain, simulation and the durability model agree") {
  for (const char* spec : {"raid6:k=14", "rs:k=4,m=2", "parity:k=4"}) {
    for (const double unreadable : {0.008, 0.5, 1.0}) {
      CAPTURE(spec);
      CAPTURE(unreadable);
      const Code code = make_code(spec);
      LostSets sets(code);
      GroupModel group = group_of(code, sets, 1e5, 24);
      group.unreadable = unreadable;
      const double exact = hours_to_loss({.locations = code.locations,
                                          .losses = code.promised_losses,
                                          .mttf_hours = 1e5,
                                          .mttr_hours = 24,
                                          .unreadable = unreadable});
      CHECK(chain_hours_to_loss(group, sets) == doctest::Approx(exact).epsilon(1e-9));
      const Estimate estimate = simulated_hours_to_loss(group, sets, 200'000, 3);
      CHECK(std::abs(estimate.mean - exact) < 1.5 * estimate.half_width);
    }
  }
}

TEST_CASE("A chunk is needed if the lost ones and it cannot be rebuilt") {
  const Code code = make_code("rs:k=4,m=2");
  LostSets sets(code);
  CHECK(count_needed(6, 0b1, sets) == 0);
  CHECK(count_needed(6, 0b11, sets) == 4);
  // In a local group of LRC, another loss in the group is survived by the other redundancy.
  const Code lrc = make_code("lrc:k=4,m=2,l=3");
  LostSets lrc_sets(lrc);
  CHECK(count_needed(8, 0b11, lrc_sets) < 6);
  CHECK(unreadable_chance(0.5, 2) == doctest::Approx(0.75));
  CHECK(unreadable_chance(1, 0) == 0);
}

TEST_CASE("A cluster loses as many groups to unreadable bits as the chain says") {
  const Code code = make_code("rs:k=4,m=2");
  LostSets sets(code);
  ClusterModel cluster{.nodes = 200,
                       .groups_per_node = 6,
                       .locations = 6,
                       .chunk_bytes = 1e9,
                       .mttf_hours = 1000,
                       .reads = {4, 4},
                       .repair_hours = {2, 2}};
  cluster.unreadable = 0.05;
  const ClusterRun run = simulate_cluster(cluster, sets, 200'000, 3);
  GroupModel group{.locations = 6,
                   .mttf_hours = 1000,
                   .repair_hours = {2, 2},
                   .waits = run.waits,
                   .unreadable = 0.05};
  const auto expected = [&] {
    return static_cast<double>(run.groups) * run.hours / chain_hours_to_loss(group, sets);
  };
  CHECK(expected() > 1000);
  // The chain takes waits by their mean, so it is somewhat off.
  CHECK(std::abs(static_cast<double>(run.losses) / expected() - 1) < 0.1);
  group.unreadable = 0;
  CHECK(static_cast<double>(run.losses) > 3 * expected());
}

TEST_CASE("A cluster with a bad batch loses as many groups as the chain of the batch says") {
  const Code code = make_code("rs:k=4,m=2");
  LostSets sets(code);
  // Nodes hold one chunk each, so that repairs hardly wait.
  ClusterModel cluster{.nodes = 30'000,
                       .groups_per_node = 1,
                       .locations = 6,
                       .chunk_bytes = 1e9,
                       .mttf_hours = 1e7,
                       .reads = {4, 4},
                       .repair_hours = {48, 48}};
  cluster.bad_nodes = 6000;
  cluster.bad_mttf_hours = 168;
  const ClusterRun run = simulate_cluster(cluster, sets, 6200, 5);
  CHECK(run.bad_nodes_left == 0);
  CHECK(run.batch_losses <= run.losses);
  const DiskGroup group{
      .locations = 6, .losses = 2, .mttf_hours = 1e7, .mttr_hours = run.mean_repair_hours};
  // The number b of bad nodes among six is nearly binomial, with 20 % for each node.
  double expected = 0;
  const double ways[] = {0, 6, 15, 20, 15, 6, 1};
  for (std::size_t b = 1; b <= 6; ++b) {
    expected += ways[b] * std::pow(0.2, static_cast<double>(b)) *
                std::pow(0.8, static_cast<double>(6 - b)) *
                (1 - batch_survival_chance(group, {b, 168}));
  }
  expected *= static_cast<double>(run.groups);
  CHECK(expected > 40);
  CHECK(std::abs(static_cast<double>(run.batch_losses) - expected) < 4 * std::sqrt(expected));
  // If the failures are spread over ten times the hours, far fewer groups are lost.
  cluster.bad_mttf_hours = 1680;
  const ClusterRun slow = simulate_cluster(cluster, sets, 6200, 5);
  CHECK(slow.batch_losses < run.batch_losses / 4);
  cluster.bad_nodes = 0;
  CHECK(simulate_cluster(cluster, sets, 100, 5).batch_losses == 0);
}

TEST_CASE("Repairs wait for one another where few nodes rebuild many chunks") {
  const Code code = make_code("rs:k=4,m=2");
  LostSets sets(code);
  ClusterModel cluster{.nodes = 8,
                       .groups_per_node = 60,
                       .locations = 6,
                       .chunk_bytes = 1e9,
                       .mttf_hours = 1e6,
                       .reads = {4, 4},
                       .repair_hours = {1, 1},
                       .times = RepairTimes::kFixed};
  const ClusterRun few = simulate_cluster(cluster, sets, 200, 1);
  // Sixty chunks are rebuilt on the nodes that hold no other chunk of the group: about ten in a
  // row.
  CHECK(few.mean_repair_hours > 3);
  CHECK(few.slow_repair_hours > few.mean_repair_hours);
  cluster.nodes = 2000;
  const ClusterRun many = simulate_cluster(cluster, sets, 200, 1);
  CHECK(many.mean_repair_hours < 1.1);
  CHECK(many.mean_repair_hours >= 1);
}

TEST_CASE("What cannot be simulated is refused") {
  const Code code = make_code("rs:k=4,m=2");
  LostSets sets(code);
  const auto refused = [](const auto& call) {
    return test::refusal(Status::kInvalidArgument, call);
  };
  const Code wide = make_code("rs:k=60,m=5");
  CHECK(refused([&] { LostSets{wide}; }) ==
        "n = 65 locations exceed 64, the most whose losses are simulated");
  ClusterModel cluster{.nodes = 5,
                       .groups_per_node = 1,
                       .locations = 6,
                       .chunk_bytes = 1,
                       .mttf_hours = 1,
                       .reads = {4, 4},
                       .repair_hours = {1, 1}};
  CHECK(refused([&] { simulate_cluster(cluster, sets, 1, 1); }) ==
        "5 nodes are fewer than n = 6 locations");
  cluster.nodes = 1000;
  cluster.groups_per_node = 1'000'000;
  CHECK(refused([&] { simulate_cluster(cluster, sets, 1, 1); }) ==
        "1000 nodes of 1000000 groups exceed 100000 nodes or 20000000 chunks");
  cluster = {.nodes = 10,
             .groups_per_node = 1,
             .locations = 6,
             .chunk_bytes = 1,
             .mttf_hours = 1,
             .reads = {4, 4},
             .repair_hours = {1, 1}};
  cluster.bad_nodes = 11;
  CHECK(refused([&] { simulate_cluster(cluster, sets, 1, 1); }) == "11 bad nodes exceed 10 nodes");
  cluster.bad_nodes = 10;
  CHECK(refused([&] { simulate_cluster(cluster, sets, 1, 1); }) ==
        "batch_mttf = 0 hours is not a number above 0");
  cluster.bad_nodes = 0;
  cluster.unreadable = 2;
  CHECK(refused([&] { simulate_cluster(cluster, sets, 1, 1); }) ==
        "a chunk is unreadable with probability 2, not 0 to 1");
  CHECK(refused([&] { simulated_hours_to_loss(group_of(code, sets, 0, 1), sets, 10, 1); }) ==
        "a group needs locations, and times above 0");
}

}  // namespace xorloom
