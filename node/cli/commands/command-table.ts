// Commands whose modules are loaded when a command line names them: loading all of them takes several times as long as most of them run.
import type { Command } from "commander";
import type { CommandContext } from "../session/terminal.ts";

/** Adds a command to its parent; `words` are those behind its name, none of them when the whole tree is needed. */
export type AddCommand = (parent: Command, context: CommandContext, words: readonly string[]) => void | Promise<void>;

/** Commands by name, in the order in which help lists them. */
export type CommandTable = Readonly<Record<string, () => Promise<AddCommand>>>;

/** Adds the command that the first word names. When it names none, all of them: help lists them, a refusal suggests one. */
export async function addCommands(table: CommandTable, parent: Command, context: CommandContext, words: readonly string[]): Promise<void> {
  const [name = "", ...rest] = words;
  const named = Object.hasOwn(table, name) ? table[name] : undefined;
  const chosen = await Promise.all((named === undefined ? Object.values(table) : [named]).map((load) => load()));
  for (const addCommand of chosen) await addCommand(parent, context, named === undefined ? [] : rest);
}
