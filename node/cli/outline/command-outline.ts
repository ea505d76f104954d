// The tree of commands as data: help of the whole program and completion need names and descriptions alone, and making them of the tree
// loads the modules of every command. `command-outline.json` is written by its test.
import type { Command } from "commander";

/** What help and completion need of the tree of commands. */
export interface ProgramOutline {
  /** Commands of the program but commander's own `help`, in the order in which help lists them. */
  readonly commands: readonly CommandLine[];
  /** The program and every command below it. */
  readonly paths: readonly CommandPath[];
  /** Options with a value, by name: files are completed there. */
  readonly valueOptions: readonly string[];
}

/** The line of a command in the program's help. */
export interface CommandLine {
  readonly name: string;
  /** Name, options and arguments as help shows them. */
  readonly term: string;
  readonly description: string;
}

/** One command of the tree. */
export interface CommandPath {
  /** Names from the program down, each behind a space; "" for the program itself. */
  readonly path: string;
  readonly words: readonly Word[];
}

/** What may follow a path. */
export interface Word {
  readonly text: string;
  readonly description: string;
}

/** The outline of a whole tree. */
export function outlineOf(program: Command): ProgramOutline {
  const help = program.createHelp();
  const commands = program.commands.map((command) => ({
    name: command.name(),
    term: help.subcommandTerm(command),
    description: help.subcommandDescription(command),
  }));
  return { commands, paths: pathsOf(program, ""), valueOptions: valueOptions(program) };
}

/** The outline of the program as it was last written; `dataDir` stands where descriptions name the machine's default data folder. */
export async function savedOutline(dataDir: string): Promise<ProgramOutline> {
  const { default: outline } = await import("./command-outline.json", { with: { type: "json" } });
  return withDataDir(outline, DATA_DIR_PLACE, dataDir);
}

/** The program's commands of that outline: their lines name no folder. */
export async function savedCommands(): Promise<readonly CommandLine[]> {
  const { default: outline } = await import("./command-outline.json", { with: { type: "json" } });
  return outline.commands;
}

/** The outline as it is written: alike on every machine. */
export function portableOutline(outline: ProgramOutline, dataDir: string): ProgramOutline {
  return withDataDir(outline, dataDir, DATA_DIR_PLACE);
}

const DATA_DIR_PLACE = "{DATA_DIR}";

function withDataDir({ commands, paths, valueOptions }: ProgramOutline, from: string, to: string): ProgramOutline {
  const words = (list: readonly Word[]): readonly Word[] =>
    list.map(({ text, description }) => ({ text, description: description.replaceAll(from, () => to) }));
  return { commands, paths: paths.map((entry) => ({ path: entry.path, words: words(entry.words) })), valueOptions };
}

function pathsOf(command: Command, path: string): readonly CommandPath[] {
  const help = command.createHelp();
  const subcommands = help.visibleCommands(command);
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const words = [
    ...choices.map((text) => ({ text, description: "" })),
    ...subcommands.map((child) => ({ text: child.name(), description: help.subcommandDescription(child) })),
    ...help.visibleOptions(command).map((option) => ({ text: option.long ?? option.flags, description: option.description })),
  ];
  return [{ path, words }, ...command.commands.flatMap((child) => pathsOf(child, `${path} ${child.name()}`))];
}

function valueOptions(command: Command): readonly string[] {
  const own = command.options.filter((option) => option.required || option.optional).flatMap(({ long }) => long ?? []);
  return [...new Set([...own, ...command.commands.flatMap((child) => valueOptions(child))])].sort();
}
