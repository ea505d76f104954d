// What holds for every command of the tree: help with examples, JSON, completion, a line in the documentation.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram, runCommandLine } from "#node/cli/program.ts";
import { fakeCommandContext } from "#test/support/cli/fake-command-context.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { projectRoot } from "#test/support/nodes/run-program.ts";

const noNode = (): Promise<number> => Promise.reject(new Error("no node was asked for"));
const program = await createProgram(fakeCommandContext(), { runNode: async () => undefined });
const leaves = leavesOf(program, "");
const documentation = readFileSync(join(projectRoot, "docs", "command-line.md"), "utf8");

function leavesOf(command: Command, path: string): readonly (readonly [string, Command])[] {
  return command.commands.flatMap((child): readonly (readonly [string, Command])[] => {
    const place = `${path} ${child.name()}`.trim();
    const below = leavesOf(child, place);
    return below.length > 0 && place !== "node" ? below : [[place, child], ...below];
  });
}

async function outputOf(...args: readonly string[]): Promise<string> {
  const context = fakeCommandContext();
  expect(await runCommandLine(args, context, noNode)).toBe(0);
  return context.out.join("\n");
}

/** Commands that serve until they are stopped, and have no result. */
const SERVES = new Set(["node", "gateway"]);

describe("every command", () => {
  it("is known to this test", () => {
    expect(leaves.length).toBeGreaterThanOrEqual(45);
  });

  it.each(leaves.map(([path]) => path))("%s has help with examples that name it and only options that it has", async (path) => {
    const help = await outputOf(...path.split(" "), "--help");
    expect(help).toContain("\nExamples:\n");
    const examples = help.slice(help.indexOf("\nExamples:\n") + 11).split("\n");
    const options = leaves.find(([name]) => name === path)?.[1].options.map(({ long }) => long) ?? [];
    for (const example of examples) {
      expect(example).toMatch(new RegExp(`^ {2}parley ${path}(?: |$)`));
      for (const [option] of example.matchAll(/(?<=\s)--[a-z0-9-]+/g)) expect(options).toContain(option);
    }
  });

  it.each(leaves.map(([path]) => path).filter((path) => !SERVES.has(path) && path !== "completion"))("%s has --json", (path) => {
    expect(leaves.find(([name]) => name === path)?.[1].options.map(({ long }) => long)).toContain("--json");
  });

  it.each(leaves.map(([path]) => path))("%s is in the documentation", (path) => {
    expect(documentation).toMatch(new RegExp(`\`(?:parley )?${path}[\` ]`));
  });

  it.each(leaves.map(([path]) => path).filter((path) => !SERVES.has(path)))("%s says a wrong option as JSON with --json", async (path) => {
    const context = fakeCommandContext();
    expect(await runCommandLine([...path.split(" "), "--nonsense", "--json"], context, noNode)).toBe(2);
    expect(JSON.parse(context.err.join("\n"))).toEqual({ error: expect.stringMatching(/^(?!error)/), code: "CONFIG_INVALID" });
  });
});

describe("parley completion", () => {
  /** What bash offers for a line whose last word is being typed. */
  async function offered(...words: readonly string[]): Promise<readonly string[]> {
    await using folder = await createTemporaryFolder();
    const script = join(folder.path, "parley.bash");
    writeFileSync(script, await outputOf("completion", "bash"));
    const line = `source "${script}"; COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _parley; echo "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["--norc", "-c", line], { encoding: "utf8" }).trim().split(/\s+/);
  }

  it("completes commands, subcommands, options and choices in bash", async () => {
    expect(await offered("parley", "transfer")).toEqual(["transfer", "transfer-username"]);
    expect(await offered("parley", "channel", "")).toEqual(["open", "voucher", "close", "list", "help", "--help"]);
    expect(await offered("parley", "channel", "close", "--vo")).toEqual(["--voucher"]);
    expect(await offered("parley", "node", "re")).toEqual(["reindex"]);
    expect(await offered("parley", "completion", "")).toEqual(["bash", "zsh", "fish", "--help"]);
  });

  it("leaves the value of an option to the files of the folder", async () => {
    expect(await offered("parley", "inbox", "--key", "")).toEqual([""]);
  });

  it.each(["bash", "zsh", "fish"])("names every command and option in the script for %s", async (shell) => {
    const script = await outputOf("completion", shell);
    for (const [path, command] of leaves) {
      expect(script).toContain(`" ${path}"`);
      for (const { long } of command.options) expect(script).toContain(shell === "fish" ? `-l ${long?.slice(2)}` : String(long));
    }
  });

  it("refuses another shell", async () => {
    const context = fakeCommandContext();
    expect(await runCommandLine(["completion", "cmd"], context, noNode)).toBe(2);
    expect(context.err.join("\n")).toContain("Allowed choices are bash, zsh, fish");
  });
});
