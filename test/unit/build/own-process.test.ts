// Unit tests share processes unless they change what the whole process has.
import { describe, expect, it } from "vitest";
import { filesByProcess, needsOwnProcess } from "#build/own-process.ts";

describe("a test file has a process of its own", () => {
  it.each([
    'vi.mock("#node/a.ts");',
    'vi.stubGlobal("fetch", fetch);',
    "vi.useFakeTimers();",
    "vi\n  .useFakeTimers();",
    'process.env.HOME = "/";',
    'process.env["HOME"] ??= "/";',
    "delete process.env.HOME;",
    'process.chdir("/");',
    "process.umask(0);",
    "globalThis.crypto = crypto;",
    "Object.assign(globalThis, { a });",
    'Object.defineProperty(globalThis, "a", { value: 1 });',
    "Date.now = () => 0;",
    "console.warn = print;",
    "fc.configureGlobal({ seed: 1 });",
    'setFlagsFromString("--liftoff");',
    'import { setBaselineCompiler } from "#node/vm/baseline-compiler.ts";',
  ])("that has %s", (text) => {
    expect(needsOwnProcess(text)).toBe(true);
  });

  it.each([
    'vi.spyOn(client, "seal");',
    "const env = { ...process.env, HOME: folder };",
    'if (process.env.HOME === "/") throw new Error("root");',
    "expect(globalThis.name === undefined).toBe(true);",
    "const now = Date.now();",
  ])("and not one that has %s", (text) => {
    expect(needsOwnProcess(text)).toBe(false);
  });
});

it("each file of a folder is of one kind", () => {
  const { shared, alone } = filesByProcess(["test/unit/build", "test/unit/shared/keyring"]);
  expect(shared).toContain("test/unit/build/layers.test.ts");
  expect(alone).toContain("test/unit/shared/keyring/wiped-secrets.test.ts");
  expect(new Set([...shared, ...alone]).size).toBe(shared.length + alone.length);
});
