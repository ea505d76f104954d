// Help of the program and completion scripts come of a file, which this test holds to the tree of commands. After a change of a command:
// `npm run -s unit -- test/unit/node/cli/outline.test.ts -u`.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { outlineOf, portableOutline, savedOutline } from "#node/cli/outline/command-outline.ts";
import { createProgram, runCommandLine } from "#node/cli/program.ts";
import { defaultDataDir } from "#node/config/files/default-data-dir.ts";
import { fakeCommandContext } from "#test/support/cli/fake-command-context.ts";
import { projectRoot } from "#test/support/nodes/run-program.ts";

const noNode = (): Promise<number> => Promise.reject(new Error("no node was asked for"));
const program = await createProgram(fakeCommandContext(), { runNode: async () => undefined });

describe("the outline of the commands", () => {
  it("is that of the tree", async () => {
    const lists: Readonly<Record<string, readonly unknown[]>> = { ...portableOutline(outlineOf(program), defaultDataDir()) };
    const parts = Object.entries(lists).map(([name, lines]) => `"${name}": [\n${lines.map((line) => JSON.stringify(line)).join(",\n")}\n]`);
    await expect(`{\n${parts.join(",\n")}\n}\n`).toMatchFileSnapshot(join(projectRoot, "node", "cli", "outline", "command-outline.json"));
  });

  it("names the data folder of the machine it is read on, and no other one", async () => {
    const text = JSON.stringify(await savedOutline("C:\\Users\\a$&b\\parley"));
    expect(text).toContain(JSON.stringify("C:\\Users\\a$&b\\parley").slice(1, -1));
    expect(text).not.toContain("DATA_DIR}");
    expect(text).not.toContain(JSON.stringify(defaultDataDir()).slice(1, -1));
  });

  it.each([["--help"], ["-h"], ["help"]])("gives the help of the whole program for %s", async (word) => {
    const context = fakeCommandContext();
    expect(await runCommandLine([word], context, noNode)).toBe(0);
    expect(context.out.join("\n").trimEnd()).toBe(program.helpInformation().trimEnd());
  });

  it("suggests the command that a misspelt one is close to", async () => {
    const context = fakeCommandContext();
    expect(await runCommandLine(["balnce"], context, noNode)).toBe(2);
    expect(context.err.join("\n")).toContain("Did you mean balance?");
  });

  it("stands back where a command is named behind something else", async () => {
    const context = fakeCommandContext();
    expect(
      await runCommandLine(["--", "address", "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"], context, noNode),
    ).toBe(0);
    expect(context.out.join("\n")).toMatch(/^pl1/);
  });
});
