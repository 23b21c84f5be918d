#include "gen/verilog/verilog_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "codes/text/error.hpp"
#include "gen/source/emit.hpp"
#include "gen/text/wrap.hpp"

namespace xorloom {
namespace {

/// Keywords of IEEE 1364-2005, annex B, and of IEEE 1800-2017, annex B; a blank around each.
constexpr std::string_view kWords =
    " "
    "accept_on alias always always_comb always_ff always_latch and assert assign assume "
    "automatic before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex "
    "casez cell chandle checker class clocking cmos config const constraint context continue "
    "cover covergroup coverpoint cross deassign default defparam design disable dist do edge "
    "else end endcase endchecker endclass endclocking endconfig endfunction endgenerate "
    "endgroup endinterface endmodule endpackage endprimitive endprogram endproperty "
    "endsequence endspecify endtable endtask enum event eventually expect export extends "
    "extern final first_match for force foreach forever fork forkjoin function generate "
    "genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies "
    "import incdir include initial inout input inside instance int integer interconnect "
    "interface intersect join join_any join_none large let liblist library local localparam "
    "logic longint macromodule matches medium modport module nand negedge nettype new "
    "nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed "
    "parameter pmos posedge primitive priority program property protected pull0 pull1 "
    "pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase "
    "randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos "
    "rpmos rtran rtranif0 rtranif1 s_always s_eventually s_nexttime s_until s_until_with "
    "scalared sequence shortint shortreal showcancelled signed small soft solve specify "
    "specparam static string strong strong0 strong1 struct super supply0 supply1 "
    "sync_accept_on sync_reject_on table tagged task this throughout time timeprecision "
    "timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type typedef union "
    "unique unique0 unsigned until until_with untyped use uwire var vectored virtual void "
    "wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor ";

/// The spec of a code as a comment line, or as several lines if it is long.
std::string spec_lines(const Code& code) {
  constexpr std::size_t kColumns = 72;
  std::string text;
  std::string line;
  for (const char c : code.spec) {
    line += c;
    if ((c == ',' || c == '+') && line.size() > kColumns - 12) {
      text += "//   " + line + "\n";
      line.clear();
    }
  }
  return text + "//   " + line + "\n";
}

}  // namespace

void check_bound(const char* name, std::size_t value, std::size_t least, std::size_t most) {
  if (value >= least && value <= most) return;
  fail(Status::kInvalidArgument, "{} = {} is not from {} to {}", name, value, least, most);
}

void check_engine_program(const Program& program) {
  require_xors(program, "an XOR engine");
  if (!program.virtuals.empty()) {
    fail(Status::kUnsupported, "updates are not written as XOR engines");
  }
}

std::string verilog_prefix(const Code& code, const std::optional<std::string>& name) {
  if (name) {
    check_name(*name);
    if (kWords.find(fmt::format(" {} ", *name)) != std::string_view::npos) {
      fail(Status::kInvalidArgument, "name = '{}' is a word of Verilog", *name);
    }
  }
  return file_prefix(code, name);
}

std::string verilog_name(const Program& program, Element element) {
  return element < program.num_cells() ? fmt::format("e{}", element)
                                       : element_name(program, element);
}

std::string verilog_comment(std::initializer_list<std::string> paragraphs) {
  std::string text;
  for (const std::string& paragraph : paragraphs) {
    if (!text.empty()) text += "//\n";
    text += wrap_text("// ", paragraph, "// ") + "\n";
  }
  return text;
}

std::string design_head(const std::string& about, const Code& code) {
  return verilog_comment({about}) + "//\n" + spec_lines(code) + "//\n";
}

std::string filled(std::string_view text, std::initializer_list<Filling> values) {
  constexpr std::string_view kEnd = "@.@";
  std::string result;
  while (true) {
    const std::size_t begin = text.find('@');
    result += text.substr(0, begin);
    if (begin == std::string_view::npos) return result;
    text.remove_prefix(begin + 1);
    if (text.starts_with('(')) {  // an event control, as in always @(posedge clk)
      result += '@';
      continue;
    }
    std::string_view name = text.substr(0, text.find('@'));
    text.remove_prefix(name.size() + 1);
    if (name == ".") continue;
    const char condition = name.front() == '?' || name.front() == '!' ? name.front() : ' ';
    if (condition != ' ') name.remove_prefix(1);
    const auto* const value = std::ranges::find(values, name, &Filling::name);
    if (value == values.end()) {
      fail(Status::kInternal, "nothing stands for @{}@", name);
    }
    if (condition == ' ') {
      result += value->text;
    } else if (value->text.empty() == (condition == '?')) {
      text.remove_prefix(text.find(kEnd) + kEnd.size());
    }
  }
}

std::string verilog_sum(const std::string& head, std::span<const std::string> terms,
                        const char* zero, const char* indent) {
  std::vector<std::string> words;
  for (const std::string& term : terms) words.push_back((words.empty() ? "" : "^ ") + term);
  if (words.empty()) words.emplace_back(zero);
  words.back() += ';';
  return wrap(head + " = ", words, indent) + "\n";
}

std::string verilog_list(const std::string& head, std::vector<std::string> items, const char* end,
                         const char* indent) {
  for (std::string& item : items) item += &item == &items.back() ? end : ",";
  return wrap(head, items, indent) + "\n";
}

std::size_t bits_below(std::size_t bound) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(bound - 1)));
}

std::string verilog_number(std::size_t bits, std::size_t value) {
  return fmt::format("{}'d{}", bits, value);
}

std::string runs_text(std::span<const std::uint32_t> numbers, std::string_view between) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t next = i + 1;
    while (next < numbers.size() && numbers[next] == numbers[next - 1] + 1) ++next;
    if (!text.empty()) text += between;
    text += next == i + 1 ? fmt::format("{}", numbers[i])
                          : fmt::format("{}-{}", numbers[i], numbers[next - 1]);
    i = next;
  }
  return text;
}

std::string hexadecimal(const std::vector<Field::Symbol>& symbols, std::size_t w) {
  std::vector<unsigned> digits((symbols.size() * w + 3) / 4);
  for (std::size_t i = 0; i < symbols.size() * w; ++i) {
    digits[i / 4] |= (symbols[i / w] >> (i % w) & 1U) << (i % 4);
  }
  std::string text;
  for (std::size_t i = digits.size(); i-- > 0;) text += "0123456789abcdef"[digits[i]];
  return text;
}

}  // namespace xorloom
