#include "gen/pictures/chart_svg.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "codes/text/error.hpp"
#include "gen/pictures/chart_axes.hpp"
#include "tests/support/svg.hpp"

namespace xorloom {
namespace {

std::vector<std::string> labels_of(const ChartScale& scale) {
  std::vector<std::string> labels;
  for (const double tick : scale.ticks()) labels.push_back(scale.label(tick));
  return labels;
}

using Labels = std::vector<std::string>;
using Scale = ChartAxis::Scale;

Chart chart_of(std::vector<ChartSeries> series) {
  return {"title", {"x"}, {"y"}, std::move(series)};
}

}  // namespace

TEST_CASE("ticks are 1, 2 or 5 times a power of ten, and their ends hold all values") {
  const std::vector<double> some = {0.3, 9.7};
  CHECK(labels_of(ChartScale({"", Scale::kLinear}, some, 6)) ==
        Labels{"0", "2", "4", "6", "8", "10"});
  const std::vector<double> small = {0.012, 0.0131};
  CHECK(labels_of(ChartScale({"", Scale::kLinear}, small, 8)) ==
        Labels{"0.0118", "0.012", "0.0122", "0.0124", "0.0126", "0.0128", "0.013", "0.0132"});
  const std::vector<double> tall = {700, 1200};
  CHECK(labels_of(ChartScale({"", Scale::kLinear, true}, tall, 5)) ==
        Labels{"0", "500", "1000", "1500"});
  const std::vector<double> whole = {5, 7};
  CHECK(labels_of(ChartScale({"", Scale::kLinear}, whole, 9)) == Labels{"4", "5", "6", "7"});
  const std::vector<double> one = {4};
  CHECK(labels_of(ChartScale({"", Scale::kLinear}, one, 9)) == Labels{"2", "3", "4", "5", "6"});
  const std::vector<double> none = {0};
  CHECK(labels_of(ChartScale({"", Scale::kLinear}, none, 9)) == Labels{"0", "1"});
}

TEST_CASE("logarithmic ticks are powers, with 2 and 5 between those of ten where there is room") {
  const std::vector<double> some = {3, 70};
  CHECK(labels_of(ChartScale({"", Scale::kLog10}, some, 9)) ==
        Labels{"2", "5", "10", "20", "50", "100"});
  CHECK(labels_of(ChartScale({"", Scale::kLog10}, some, 4)) == Labels{"1", "10", "100"});
  const std::vector<double> small = {0.004, 0.01};
  CHECK(labels_of(ChartScale({"", Scale::kLog10}, small, 9)) == Labels{"0.002", "0.005", "0.01"});
  const std::vector<double> ten = {10};
  CHECK(labels_of(ChartScale({"", Scale::kLog10}, ten, 9)) == Labels{"10", "20"});
  const std::vector<double> bytes = {4096, 1 << 20};
  CHECK(labels_of(ChartScale({"", Scale::kLog2, false, true}, bytes, 5)) ==
        Labels{"4 KiB", "16 KiB", "64 KiB", "256 KiB", "1 MiB"});
  const std::vector<double> one = {8};
  CHECK(labels_of(ChartScale({"", Scale::kLog2}, one, 5)) == Labels{"8", "16"});
}

TEST_CASE("a line has gaps where it is told to, and what is left alone is a stroke of its own") {
  Chart chart = chart_of({{"limit", {{1, 4}, {2, 3}, {3, 2}, {4, 2}}, ChartSeries::Form::kPlain}});
  const auto lines = [&] {
    const std::vector<std::string> paths =
        all_between(draw_chart(chart).body, "xl-line", "</path>");
    REQUIRE_FALSE(paths.empty());
    return std::pair(std::ranges::count(paths.front(), 'M'),
                     std::ranges::count(paths.front(), 'L'));
  };
  CHECK(lines() == std::pair<std::ptrdiff_t, std::ptrdiff_t>(1, 3));
  chart.series.front().breaks = {2};
  CHECK(lines() == std::pair<std::ptrdiff_t, std::ptrdiff_t>(2, 2));
  chart.series.front().breaks = {1, 2};
  chart.series.front().is_dashed = true;
  CHECK(lines() == std::pair<std::ptrdiff_t, std::ptrdiff_t>(1, 1));
  const std::string body = draw_chart(chart).body;
  const std::vector<std::string> paths = all_between(body, "xl-line", "</path>");
  REQUIRE(paths.size() == 2);
  CHECK(count_of(paths[0], "stroke-dasharray") == 1);
  CHECK(count_of(paths[1], "stroke-dasharray") == 0);  // a dash alone would not be seen
  CHECK(std::ranges::count(paths[1], 'H') == 2);
  // A single point is no more than such a stroke.
  const std::string one =
      draw_chart(chart_of({{"limit", {{1, 4}}, ChartSeries::Form::kPlain}})).body;
  CHECK(count_of(one, " d=\"V") == 0);
  CHECK(all_between(one, "xl-line", "</path>").size() == 1);
}

TEST_CASE("values above bars have as many decimals, and room below the top of the plot") {
  BarChart chart{"t", "v", {"x", "y", "z"}, {{"", {14.5, 7, 7.291}}}};
  chart.size = ChartSize::kSmall;
  chart.has_two_decimals = true;
  const std::string body = draw_bars(chart).body;
  for (const char* const text : {">14.50</text>", ">7.00</text>", ">7.29</text>", ">20</text>"}) {
    CAPTURE(text);
    CHECK(count_of(body, text) == 1);
  }
  chart.series[0].values = {3, 3, 2};
  chart.has_two_decimals = false;
  CHECK(count_of(draw_bars(chart).body, ">4</text>") == 1);
}

TEST_CASE("a label beside a point does not stand on a line without markers") {
  Chart chart = chart_of({{"curve", {{0, 5}, {10, 5}}, ChartSeries::Form::kPlain},
                          {"mark", {{4, 5}}, ChartSeries::Form::kMarkers}});
  chart.series[1].labels = {"p99"};
  const auto height_of_label = [&] {
    const std::string body = draw_chart(chart).body;
    const std::size_t end = body.find(">p99</text>");
    REQUIRE(end != std::string::npos);
    const std::size_t from = body.find("y=\"", body.rfind("<text", end)) + 3;
    return std::stod(body.substr(from));
  };
  const double beside_line = height_of_label();
  chart.series[0].form = ChartSeries::Form::kMarkers;
  CHECK(std::abs(beside_line - height_of_label()) >= 6);
}

TEST_CASE("an axis holds what it is told to, and bars may be missing") {
  Chart chart = chart_of({{"a", {{1, 4}, {2, 5}}}});
  chart.y.holds = {90};
  CHECK(count_of(draw_chart(chart).body, ">100</text>") == 1);
  chart.y.is_open = true;
  CHECK(count_of(draw_chart(chart).body, ">80</text>") == 1);
  CHECK(count_of(draw_chart(chart).body, ">100</text>") == 0);
  chart.series.front().ringed = {1};
  CHECK(count_of(draw_chart(chart).body, "<circle class=\"xl-line\"") == 1);
  const BarChart bars{"t", "v", {"x", "y"}, {{"a", {1, std::nan("")}}, {"b", {2, 3}}}};
  CHECK(count_of(draw_bars(bars).body, "xl-done") == 3);
  CHECK(count_of(draw_bars(bars).body, ">–</text>") == 1);  // not a bar of 0
}

TEST_CASE("an axis begins at 0, at a bound, or is cut below its least value and says so") {
  const std::vector<double> wide = {4, 10};
  CHECK(labels_of(ChartScale({"", Scale::kLinear}, wide, 6)) ==
        Labels{"0", "2", "4", "6", "8", "10"});
  CHECK_FALSE(ChartScale({"", Scale::kLinear}, wide, 6).is_cut());
  const std::vector<double> narrow = {24, 27};
  const ChartScale cut({"", Scale::kLinear}, narrow, 6);
  CHECK(cut.is_cut());
  CHECK(labels_of(cut) == Labels{"23", "24", "25", "26", "27"});
  CHECK(cut.at(24) > 0);
  ChartAxis stored{"", Scale::kLinear, true};
  stored.bound = 1;
  const std::vector<double> bytes = {1.4, 1.6};
  CHECK(labels_of(ChartScale(stored, bytes, 4)) == Labels{"1", "1.2", "1.4", "1.6"});
  CHECK_FALSE(ChartScale(stored, bytes, 4).is_cut());

  Chart chart = chart_of({{"a", {{4, 24}, {10, 27}}}});
  const std::string zigzag = "l-5 2l10 4l-5 2";
  const Picture picture = draw_chart(chart);
  CHECK(picture.note == "The axis of y does not begin at 0.");
  CHECK(count_of(picture.body, zigzag) == 1);
  chart.x.from_zero = chart.y.from_zero = true;
  CHECK(draw_chart(chart).note == "");
  CHECK(count_of(draw_chart(chart).body, zigzag) == 0);
  const Chart both = chart_of({{"a", {{8, 24}, {10, 27}}}});
  CHECK(draw_chart(both).note == "Neither axis begins at 0.");
}

TEST_CASE("an axis of tails has as much room for each nine") {
  const std::vector<double> shares = {0.01, 0.5, 0.999};
  const ChartScale axis({"", Scale::kTail}, shares, 6);
  CHECK(labels_of(axis) == Labels{"0 %", "50 %", "90 %", "99 %", "99.9 %"});
  CHECK(axis.at(0) == doctest::Approx(0));
  CHECK(axis.at(0.9) == doctest::Approx(1.0 / 3));
  CHECK(axis.at(0.99) == doctest::Approx(2.0 / 3));
  CHECK(axis.at(0.999) == doctest::Approx(1));
  Chart chart = chart_of({{"a", {{1, 1}}}});
  chart.y.scale = Scale::kTail;
  CHECK_THROWS_WITH_AS(draw_chart(chart), "a value of a chart is 1, which is no share below 1",
                       Error);
}

TEST_CASE("bands are named above the plot, within the picture, and every second one is tinted") {
  Chart chart = chart_of({{"a", {{1024, 70}, {32 << 20, 20}}}});
  chart.x = {"bytes", Scale::kLog2, false, true};
  chart.size = ChartSize::kSmall;
  const double infinity = std::numeric_limits<double>::infinity();
  chart.bands = {{"L1", 0, 4096},
                 {"L2", 4096, 65536},
                 {"L3", 80000, 16 << 20},
                 {"memory", 16 << 20, infinity}};
  const Picture picture = draw_chart(chart);
  CHECK(not_well_formed(svg_page(picture)) == "");
  double last = 0;
  for (const char* name : {"L1", "L2", "L3", "memory"}) {
    CAPTURE(name);
    const std::size_t end = picture.body.find(fmt::format(" xl-small\">{}</text>", name));
    REQUIRE(end != std::string::npos);
    const double x = std::stod(picture.body.substr(picture.body.rfind(" x=\"", end) + 4));
    CHECK(x > last);
    CHECK(x < static_cast<double>(picture.width));
    last = x;
  }
  CHECK(count_of(picture.body, "class=\"xl-band\"") == 2);
  CHECK(count_of(picture.body, "class=\"xl-between\"") == 1);
  chart.bands = {{"all", 0, infinity}, {"none", infinity, infinity}};
  CHECK(count_of(draw_chart(chart).body, ">all</text>") == 1);
  CHECK(count_of(draw_chart(chart).body, ">none</text>") == 0);
}

TEST_CASE("lines without markers may have some, so that those that coincide are told apart") {
  Chart chart = chart_of({{"a", {{1, 5}, {4, 5}}, ChartSeries::Form::kLevels}});
  chart.series[0].marks = {{2, 5}};
  const Picture picture = draw_chart(chart);
  CHECK(count_of(picture.body, "<title>a: 2, 5</title>") == 1);
  CHECK(count_of(picture.body, "<title>a: 1, 5</title>") == 0);
  CHECK(count_of(legend_entry(chart.series[0], 0).sample, "xl-fill") == 1);
}

TEST_CASE("the label of a point without a line stands at the height of its point") {
  Chart chart = chart_of({{"a", {{1, 1}, {1, 1.05}, {2, 2}}, ChartSeries::Form::kMarkers}});
  chart.series[0].labels = {"low", "high"};
  chart.x.from_zero = chart.y.from_zero = true;
  const Picture picture = draw_chart(chart);
  CHECK(count_of(picture.body, "xl-over xl-start\">low<") == 1);
  CHECK(count_of(picture.body, "xl-over xl-end\">high<") == 1);
}

TEST_CASE("values stand on an axis in order, within it, and equal steps of a logarithm are equal") {
  for (const Scale scale : {Scale::kLinear, Scale::kLog2, Scale::kLog10}) {
    const std::vector<double> values = {0.25, 1, 3, 900};
    const ChartScale axis({"", scale}, values, 7);
    double last = -1;
    for (const double value : values) {
      CHECK(axis.at(value) >= 0);
      CHECK(axis.at(value) <= 1);
      CHECK(axis.at(value) > last);
      last = axis.at(value);
    }
    CHECK(axis.ticks().size() <= 9);
    if (scale == Scale::kLinear) continue;
    CHECK(axis.at(4) - axis.at(2) == doctest::Approx(axis.at(400) - axis.at(200)));
  }
}

TEST_CASE("points say what they are, and each series is told from the others") {
  const Picture picture =
      draw_chart(chart_of({{"a < b", {{1, 2}, {2, 4}, {3, 8}}},
                           {"steps", {{1, 3}, {3, 5}}, ChartSeries::Form::kSteps, true, {"first"}},
                           {"alone", {{2, 6}}, ChartSeries::Form::kMarkers},
                           {"plain", {{1, 1}, {3, 1}}, ChartSeries::Form::kPlain}}));
  const std::string file = svg_page(picture);
  CHECK(not_well_formed(file) == "");
  CHECK(count_of(picture.body, "<title>a &lt; b: 2, 4</title>") == 1);
  CHECK(count_of(picture.body, "<title>alone: 2, 6</title>") == 1);
  CHECK(count_of(picture.body, "<title>plain: ") == 0);
  CHECK(count_of(picture.body, "<title>plain</title>") == 1);
  CHECK(count_of(picture.body, ">a &lt; b</text>") == 0);
  CHECK(count_of(file, ">a &lt; b</text>") == 1);
  CHECK(count_of(picture.body, ">first</text>") == 1);
  // A dash for the line and in the legend.
  CHECK(count_of(file, " stroke-dasharray=") == 2);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(count_of(file, fmt::format("<g class=\"{}\"", ink(i))) == 2);
  }
}

TEST_CASE("more series than colors differ by their dashes") {
  std::vector<ChartSeries> series;
  for (std::size_t i = 0; i < kMostSeries; ++i) {
    series.push_back({fmt::format("s{}", i), {{1, 1.0 + static_cast<double>(i)}, {2, 2}}});
  }
  const Picture picture = draw_chart(chart_of(series));
  CHECK(count_of(svg_page(picture), " stroke-dasharray=") == 2 * (kMostSeries - kInks));
  series.push_back(series.front());
  CHECK_THROWS_WITH_AS(draw_chart(chart_of(series)), "17 series of a chart are not one of 1 to 16",
                       Error);
}

TEST_CASE("a series may have the color of another chart, and leave the legend to it") {
  Chart chart = chart_of({{"first", {{1, 2}, {2, 4}}}, {"limit", {{1, 5}, {2, 5}}}});
  chart.series[0].ink = 5;
  chart.series[0].is_in_legend = false;
  const Picture picture = draw_chart(chart);
  CHECK(count_of(picture.body, "<g class=\"xl-5\">") == 1);
  CHECK(count_of(picture.body, "<title>first: 1, 2</title>") == 1);
  REQUIRE(picture.legend.size() == 1);
  CHECK(picture.legend[0].name == "limit");
  CHECK(picture.legend[0].ink == "xl-1");
}

TEST_CASE("small charts fit a phone, whatever their numbers and their legend") {
  for (const double scale : {1.0, 1e6}) {
    Chart chart = chart_of({{std::string(200, 'n'), {{1, scale}, {64, 3 * scale}}}});
    chart.size = ChartSize::kSmall;
    CHECK(draw_chart(chart).width <= 364);
    BarChart bars{"bars", "XORs", {"1", "2"}, {{"XORs", {scale, 2 * scale}}}};
    bars.size = ChartSize::kSmall;
    CHECK(draw_bars(bars).width <= 364);
  }
}

TEST_CASE("a legend and labels stay clear of one another and of what is drawn") {
  Chart chart = chart_of({{"name", {{1, 1}, {1.001, 1}, {10, 1}}}});
  chart.series[0].labels = {"one", "two", "three"};
  const Picture picture = draw_chart(chart);
  std::vector<std::string> ys;
  for (const std::string& text : all_between(picture.body, "<text ", "</text>")) {
    if (text.find("xl-halo") != std::string::npos) {
      ys.push_back(all_between(text, " y=\"", "\"").at(0));
    }
  }
  REQUIRE(ys.size() == 3);
  CHECK(ys[0] != ys[1]);
  // The last point is at the right end, so its label ends left of it.
  CHECK(count_of(picture.body, "class=\"xl-small xl-halo xl-over xl-end\">three<") == 1);
}

TEST_CASE("what cannot be drawn is refused with its value") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH_AS(draw_chart(chart_of({})), "0 series of a chart are not one of 1 to 16",
                       Error);
  CHECK_THROWS_WITH_AS(draw_chart(chart_of({{"none", {}}})), "a chart has no points", Error);
  CHECK_THROWS_WITH_AS(draw_chart(chart_of({{"a", {{1, nan}}}})),
                       "a value of a chart is nan, which is not finite", Error);
  Chart chart = chart_of({{"a", {{0, 1}}}});
  chart.x.scale = Scale::kLog2;
  CHECK_THROWS_WITH_AS(draw_chart(chart), "a value of a chart is 0, which has no logarithm", Error);
}

TEST_CASE("bars say their category, series and value, and stand on zero") {
  const BarChart chart{
      "XORs", "XORs", {"a&b", "c"}, {{"direct", {45, 30}}, {"iterative", {33, 0}}}};
  const Picture picture = draw_bars(chart);
  CHECK(not_well_formed(svg_page(picture)) == "");
  CHECK(count_of(picture.body, "<title>a&amp;b, direct: 45</title>") == 1);
  CHECK(count_of(picture.body, "<title>c, iterative: 0</title>") == 1);
  CHECK(count_of(picture.body, ">33</text>") == 1);
  CHECK(count_of(picture.body, ">a&amp;b</text>") == 1);
  // Heights are as the values: 45 to 30 to 33.
  std::vector<double> heights;
  for (const std::string& path : all_between(picture.body, "<path class=\"xl-done ", "<title>")) {
    const std::size_t from = path.find('M');
    const double bottom = std::stod(path.substr(path.find(' ', from) + 1));
    heights.push_back(bottom - std::stod(path.substr(path.find('V', from) + 1)));
  }
  REQUIRE(heights.size() == 4);
  CHECK(heights[0] / 45 == doctest::Approx(heights[1] / 33).epsilon(0.01));
  CHECK(heights[0] / 45 == doctest::Approx(heights[2] / 30).epsilon(0.01));
  CHECK(heights[3] == doctest::Approx(0));
}

TEST_CASE("values of bars that are too narrow stand upright, below the top of the plot") {
  BarChart chart{"steps", "steps", {"1 core", "2 cores"}, {}};
  chart.size = ChartSize::kSmall;
  for (int i = 0; i < 6; ++i) {
    chart.series.push_back({fmt::format("{}", i), {1000.0 + i, 500.0 + i}});
  }
  const Picture picture = draw_bars(chart);
  CHECK(count_of(picture.body, "rotate(-90)\" class=\"xl-small xl-halo xl-over xl-start\">") == 12);
  CHECK(count_of(picture.body, ">1005</text>") == 1);
  CHECK(count_of(picture.body, ">2000</text>") == 0);
  chart.series.resize(2);
  CHECK(count_of(draw_bars(chart).body, "xl-start\">1001<") == 0);
  CHECK(count_of(draw_bars(chart).body, ">1001</text>") == 1);
}

TEST_CASE("bars may have a bound each, and colors of their own") {
  BarChart chart{"XORs", "XORs", {"1", "2", "3"}, {{"XORs", {45, 24, 26}}}};
  chart.has_ink_by_category = true;
  chart.bound_name = "lower bound";
  chart.bounds = {24, 24, std::nullopt};
  const Picture picture = draw_bars(chart);
  CHECK(not_well_formed(svg_page(picture)) == "");
  for (const char* color : {"xl-done xl-0", "xl-done xl-1", "xl-done xl-2"}) {
    CHECK(count_of(picture.body, color) == 1);
  }
  CHECK(count_of(picture.body, "lower bound: 24</title>") == 2);
  REQUIRE(picture.legend.size() == 1);
  CHECK(picture.legend[0].name == "lower bound");
  // Charts side by side have one scale, and a file explains its numbers.
  chart.holds = 90;
  chart.inks = {2, 0, 1};
  chart.meanings = {"rs:k=4,m=2", "parity:k=4", "raid6:k=4"};
  const Picture other = draw_bars(chart);
  CHECK(count_of(other.body, ">100</text>") == 1);
  CHECK(other.body.find("xl-done xl-2") < other.body.find("xl-done xl-0"));
  REQUIRE(other.legend.size() == 4);
  CHECK(other.legend[0].name == "1: rs:k=4,m=2");
  CHECK(other.legend[0].ink == ink(2));
}

TEST_CASE("bars that cannot be drawn are refused with their value") {
  CHECK_THROWS_WITH_AS(draw_bars({"", "", {"a"}, {{"s", {-1}}}}), "a bar is -1, below 0", Error);
  CHECK_THROWS_WITH_AS(draw_bars({"", "", {"a"}, {{"s", {1, 2}}}}),
                       "2 values of s are not one for each of 1 categories", Error);
  CHECK_THROWS_WITH_AS(draw_bars({"", "", {}, {{"s", {}}}}),
                       "0 bars of a chart are not one of 1 to 512", Error);
}

}  // namespace xorloom
