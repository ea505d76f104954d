// Commands of a page of docs/, read from the page: a test that runs them fails when the page says something else.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot, runParley, runProgram } from "../nodes/run-program.ts";

/** What the test has instead of the names and addresses of a page; several words for a pattern of names. */
export type Replacements = Readonly<Record<string, string | readonly string[]>>;

/** Shown where a page leaves something out. */
const LEFT_OUT = "…";

/** The commands of a page from a text on up to another one, each as its words. @throws Error when the page lacks either. */
export function pageCommands(page: string, from: string, to: string): readonly (readonly string[])[] {
  const text = readFileSync(join(projectRoot, "docs", page), "utf8");
  const start = text.indexOf(`\n${from}`);
  const end = text.indexOf(`\n${to}`, start + 1);
  if (start === -1 || end === -1) throw new Error(`docs/${page} has no part from "${from}" to "${to}"`);
  return commandsOf(text.slice(start, end));
}

/** The commands in the blocks of a text, each as its words. */
export function commandsOf(text: string): readonly (readonly string[])[] {
  const blocks = [...text.matchAll(/^ *```(?:sh)?\n([\s\S]*?)^ *```$/gm)].map(([, block = ""]) => block);
  const lines = blocks.flatMap((block) => block.replaceAll(/\\\n */g, "").split("\n"));
  const commands = lines.map((line) =>
    line
      .replace(/ +# .*/, "")
      .trim()
      .split(/ +/),
  );
  return commands.filter(([first]) => first !== "");
}

/** A command with the test's own names. @throws Error when it lacks one that is to be replaced, or something is still left out. */
export function filledCommand(command: readonly string[], replacements: Replacements): readonly string[] {
  const missing = Object.keys(replacements).filter((name) => !command.includes(name));
  if (missing.length > 0) throw new Error(`"${command.join(" ")}" does not hold ${missing.join(", ")}`);
  // A command of the program may be called like what stands for a folder.
  const filled = command.flatMap((word, index) => (index === 1 && command[0] === "parley" ? word : (replacements[word] ?? word)));
  const open = filled.find((word) => word.includes(LEFT_OUT));
  if (open !== undefined) throw new Error(`"${command.join(" ")}": nothing stands for ${open}`);
  return filled;
}

/** Runs a command of a page to its end, with further flags; what it printed. @throws Error with its words when it failed. */
export async function runPageCommand(
  command: readonly string[] | undefined,
  replacements: Replacements,
  ...flags: readonly string[]
): Promise<string> {
  const [program = "", ...words] = filledCommand(command ?? [], replacements);
  const result = program === "parley" ? await runParley([...words, ...flags, "--json"]) : await runProgram(program, words);
  if (result.code !== 0) throw new Error(`"${(command ?? []).join(" ")}" ended with ${result.code}: ${result.stderr}`);
  return result.stdout;
}
