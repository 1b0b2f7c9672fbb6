// SPDX-License-Identifier: MIT OR Apache-2.0
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"

namespace tenferro::cli {
namespace {

// Names of the subcommands, and the long options that a command takes, straight from the parser.
std::string subcommands(const CLI::App& app) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names += (names.empty() ? "" : " ") + command->get_name();
  }
  return names;
}

std::string options(const CLI::App& app) {
  std::string names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names += (names.empty() ? "--" : " --") + name;
  }
  return names;
}

void print_bash(const CLI::App& app) {
  fmt::print("_tenferro() {{\n  local word=${{COMP_WORDS[COMP_CWORD]}} options=\"{}\"\n", options(app));
  fmt::print("  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W \"{} $options\" -- \"$word\"))\n",
             subcommands(app));
  fmt::print("    return\n  fi\n  case ${{COMP_WORDS[1]}} in\n");
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    fmt::print("    {}) options=\"$options {}\" ;;\n", command->get_name(), options(*command));
  }
  fmt::print(
      "  esac\n  COMPREPLY=($(compgen -f -W \"$options\" -- \"$word\"))\n}}\ncomplete -o filenames -F _tenferro "
      "tenferro\n");
}

void print_zsh(const CLI::App& app) {
  fmt::print("#compdef tenferro\nautoload -U +X bashcompinit && bashcompinit\n");
  print_bash(app);
}

void print_fish(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    fmt::print("complete -c tenferro -n __fish_use_subcommand -a {} -d \"{}\"\n", command->get_name(),
               command->get_description());
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        fmt::print("complete -c tenferro -n \"__fish_seen_subcommand_from {}\" -l {}\n", command->get_name(), name);
      }
    }
  }
}

}  // namespace

void add_completion_command(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Print the completion script of a shell");
  command->add_option("shell", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer("Example:\n  source <(tenferro completion bash)");
  command->callback([shell, &app] {
    if (*shell == "bash") print_bash(app);
    if (*shell == "zsh") print_zsh(app);
    if (*shell == "fish") print_fish(app);
  });
}

}  // namespace tenferro::cli
