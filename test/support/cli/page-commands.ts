// Commands of a page of docs/, read from the page: a test that runs them fails when the page says something else.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../nodes/run-program.ts";

/** What the test has instead of the names and addresses of a page. */
export type Replacements = Readonly<Record<string, string>>;

/** Shown where a page leaves something out. */
const LEFT_OUT = "…";

/** The commands of a page from a text on up to another one, each as its words. @throws Error when the page lacks either. */
export function pageCommands(page: string, from: string, to: string): readonly (readonly string[])[] {
  const text = readFileSync(join(projectRoot, "docs", page), "utf8");
  const start = text.indexOf(`\n${from}`);
  const end = text.indexOf(`\n${to}`, start + 1);
  if (start === -1 || end === -1) throw new Error(`docs/${page} has no part from "${from}" to "${to}"`);
  const blocks = [...text.slice(start, end).matchAll(/^ *```\w*\n([\s\S]*?)^ *```$/gm)].map(([, block = ""]) => block);
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
  const filled = command.map((word) => replacements[word] ?? word);
  const open = filled.find((word) => word.includes(LEFT_OUT));
  if (open !== undefined) throw new Error(`"${command.join(" ")}": nothing stands for ${open}`);
  return filled;
}
