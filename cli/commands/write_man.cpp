// Writes the manual pages and the completion scripts from the program's own options:
// xorloom_write_man MAN_DIRECTORY COMPLETION_DIRECTORY. It runs when the program is built, and is
// not installed.

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

#include "cli/commands/completion.hpp"
#include "cli/commands/man.hpp"
#include "cli/commands/program.hpp"

namespace xorloom::cli {
namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

void write_page(const std::filesystem::path& directory, const Command& command,
                const Command& program) {
  write(directory / (man_name(command) + ".1"), man_page(command, program));
}

}  // namespace
}  // namespace xorloom::cli

int main(int argc, char** argv) {
  using namespace xorloom::cli;
  try {
    if (argc != 3) throw std::runtime_error("usage: xorloom_write_man MAN_DIR COMPLETION_DIR");
    Command program = make_program();
    for (Command& command : program.commands) {
      std::erase_if(command.options, [](const CommandOption& each) { return each.is_hidden; });
    }
    std::filesystem::create_directories(argv[1]);
    std::filesystem::create_directories(argv[2]);
    write_page(argv[1], program, program);
    for (const Command& command : program.commands) write_page(argv[1], command, program);
    const std::filesystem::path completions = argv[2];
    write(completions / "xorloom.bash", bash_completion(program));
    write(completions / "_xorloom", zsh_completion(program));
    write(completions / "xorloom.fish", fish_completion(program));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "xorloom_write_man: " << error.what() << '\n';
    return 1;
  }
}
