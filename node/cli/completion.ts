// parley completion: a script that completes command lines in a shell.
import { Argument, type Command } from "commander";
import { defaultDataDir } from "#node/config/files/default-data-dir.ts";
import { savedOutline } from "./outline/command-outline.ts";
import { completionScript, SHELLS, type Shell } from "./outline/completion-scripts.ts";
import { withExamples } from "./session/examples.ts";
import type { CommandContext } from "./session/terminal.ts";

export function addCompletionCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("completion")
    .description("print a completion script for your shell")
    .addArgument(new Argument("<shell>", "your shell").choices(SHELLS));
  withExamples(
    command,
    "completion bash >> ~/.bashrc",
    "completion zsh > ~/.zfunc/_parley",
    "completion fish > ~/.config/fish/completions/parley.fish",
  ).action(async (shell: Shell) => context.terminal.out(completionScript(shell, await savedOutline(defaultDataDir())).trimEnd()));
}
