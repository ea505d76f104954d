// The package bin under a Node that is too old: it starts the program with the pinned runtime, or says what is missing.
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { projectRoot, runProgram } from "#test/support/nodes/run-program.ts";

/** Makes the running Node say that it is Node 20. */
const AS_NODE_20 = [
  "--import",
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.19.0"}})',
];

describe("node/parley.mjs", () => {
  it("runs the program", async () => {
    const result = await runProgram(process.execPath, ["node/parley.mjs", "--version"]);
    expect(result).toMatchObject({ code: 0, stdout: expect.stringMatching(/^parley \d/) });
  });

  it("says in one sentence that Node is too old where there is no other", async () => {
    await using folder = await createTemporaryFolder();
    for (const file of ["node/parley.mjs", "build/scripts/runtime.mjs"]) {
      await mkdir(join(folder.path, file, ".."), { recursive: true });
      await cp(join(projectRoot, file), join(folder.path, file));
    }
    const result = await runProgram(process.execPath, [...AS_NODE_20, join(folder.path, "node/parley.mjs"), "--version"]);
    expect(result).toEqual({
      code: 1,
      stdout: "",
      stderr: "Parley runs on Node 24 or newer, and this is Node 20.19.0: install Node 24 and run the command again.\n",
    });
  });

  it.each([
    ["in its own folder", "."],
    ["above it, where npm puts it for a package", "node_modules/parley/dist/program"],
  ])("starts the program with the pinned runtime %s and passes on what it says and its exit code", async (_, place) => {
    await using folder = await createTemporaryFolder();
    const platform = process.platform === "win32" ? "win" : process.platform;
    const runtime = join(folder.path, "node_modules", `node-${platform}-${process.arch}`, "bin");
    await mkdir(runtime, { recursive: true });
    await symlink(process.execPath, join(runtime, process.platform === "win32" ? "node.exe" : "node"));
    for (const file of ["node/parley.mjs", "build/scripts/runtime.mjs"]) {
      await mkdir(join(folder.path, place, file, ".."), { recursive: true });
      await cp(join(projectRoot, file), join(folder.path, place, file));
    }
    // A package brings JavaScript: Node strips no types there.
    const program = stripTypeScriptTypes(await readFile(join(projectRoot, "test/support/nodes/launched-program.ts"), "utf8"));
    await writeFile(join(folder.path, place, "node/main.mjs"), program);
    const result = await runProgram(process.execPath, [...AS_NODE_20, join(folder.path, place, "node/parley.mjs"), "one", "two"]);
    expect(result).toEqual({ code: 3, stdout: `launched=1 args=one,two node=${process.versions.node}\n`, stderr: "" });
  });
});
