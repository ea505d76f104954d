// What a wrong command line gets as an answer: what is wrong, all of it, and where to read on.
import { describe, expect, it } from "vitest";
import { createProgram, runCommandLine } from "#node/cli/program.ts";
import { type FakeCommandContext, fakeCommandContext } from "#test/support/cli/fake-command-context.ts";

async function run(...args: readonly string[]): Promise<FakeCommandContext & { readonly code: number }> {
  const context = fakeCommandContext();
  const code = await runCommandLine(args, context, () => Promise.reject(new Error("no node was asked for")));
  return { ...context, code };
}

describe("a command line that is wrong", () => {
  it.each([
    ["transfer --key k --too @bob --amount 1T", ["error: unknown option '--too'\n(Did you mean --to?)", 'See "parley transfer --help".']],
    [
      "transfer k @bob 5T",
      [
        `error: required option '--to <account>' not specified; missing too: '--amount <amount>', '--key <file>'; "k", "@bob", "5T" need the name of an option in front`,
        'See "parley transfer --help".',
      ],
    ],
    [
      "send-msg --key k --to @bob hello",
      [
        `error: required option '--msg <text>' not specified; "hello" needs the name of an option in front`,
        'See "parley send-msg --help".',
      ],
    ],
    [
      "transfer --key k --to @bob --to @carol --amount 1T",
      ["error: option '--to <account>' is there twice", 'See "parley transfer --help".'],
    ],
    ["contract calls x", ["error: unknown command 'calls'\n(Did you mean call?)", 'See "parley contract --help".']],
    ["contract call", ["error: required option '--key <file>' not specified", 'See "parley contract call --help".']],
    ["token transfer gold --to", ["error: option '--to <account>' argument missing", 'See "parley token transfer --help".']],
  ])("%s", async (line, lines) => {
    const { code, err, out } = await run(...line.split(" "));
    expect([code, err, out]).toEqual([2, lines, []]);
  });

  it("says the same as one JSON document", async () => {
    const { code, err } = await run("transfer", "--too", "x", "--json");
    expect(code).toBe(2);
    expect(JSON.parse(err.join("\n"))).toEqual({ error: "unknown option '--too'\n(Did you mean --to?)", code: "CONFIG_INVALID" });
  });
});

describe("options", () => {
  it("that add up may be there more than once, as their help says", async () => {
    const program = await createProgram(fakeCommandContext(), { runNode: () => Promise.reject(new Error("no node")) });
    const all = program.commands.flatMap((command) => [command, ...command.commands]);
    const repeatable = all.flatMap(({ options }) => options.filter(({ description }) => /repeatable|once for each/.test(description)));
    expect(new Set(repeatable.map(({ long }) => long))).toEqual(new Set(["--arg", "--arg64", "--where", "--validator"]));
    const { err } = await run(..."call-contract --key none.json --contract shop --method m --arg a --arg b --arg64 1 --arg64 2".split(" "));
    expect(err.join("")).toContain("No key file at none.json");
  });

  it.each([
    ["gateway --database postgres://a@b/c --database postgres://a@d/c --node x", "Name a node with --node http://host:port"],
    ["gateway --database x --node http://a:1 --node http://b:1", "Name the database with --database postgres://user@host/database"],
  ])("that begin as a list may be there more than once: %s", async (line, said) => {
    const { err } = await run(...line.split(" "));
    expect(err.join("")).toContain(said);
  });

  it("may have --json in front of the command", async () => {
    const { code, err } = await run("--json", "balance", "pl1nope");
    expect(code).toBe(2);
    expect(JSON.parse(err.join("\n"))).toMatchObject({ code: "CONFIG_INVALID", error: expect.stringContaining("pl1nope") });
  });
});

describe("parley help", () => {
  it.each([
    ["help contract call", "contract call --help"],
    ["help transfer", "transfer --help"],
    ["token help issue", "token issue --help"],
    ["help", "--help"],
  ])("%s prints what %s prints", async (line, same) => {
    const [help, expected] = [await run(...line.split(" ")), await run(...same.split(" "))];
    expect(help.out).toEqual(expected.out);
    expect([help.code, expected.code]).toEqual([0, 0]);
    expect(help.out.join("\n")).toContain("Usage: parley");
  });
});
