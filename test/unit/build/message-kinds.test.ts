// A message kind that is forgotten somewhere must not compile: kinds are planted in a copy of the sources, and the compiler has to
// name every record that lacks them.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";

const CONTENT = "shared/content/content.ts";
const INCLUDED = ["shared/content", "shared/messenger", "renderer/features/inbox/**/message-text.ts"];
const COPIED = ["package.json", "tsconfig.base.json", "shared", "renderer"];

let folder = "";

/** Names of the files of which the compiler complains after the content module was changed. */
function refusedAfter(change: (source: string) => string): readonly string[] {
  writeFileSync(join(folder, CONTENT), change(readFileSync(join(ROOT, CONTENT), "utf8")));
  const args = [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", join(folder, "planted.json")];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return [...new Set([...stdout.matchAll(/^(\S+?)(?:\(\d+,\d+\))?: error TS/gm)].map(([, path = ""]) => basename(path)))].sort();
}

function withKinds(source: string, ...kinds: readonly string[]): string {
  return source.replace("export type KnownBody =", `$&${kinds.map((kind) => ` | { readonly kind: "${kind}" }`).join("")}`);
}

describe("a message kind that is forgotten", () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "parley-kinds-"));
    for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const compilerOptions = { composite: false, emitDeclarationOnly: false, noEmit: true, rootDir: "." };
    writeFileSync(
      join(folder, "planted.json"),
      JSON.stringify({ extends: "./renderer/tsconfig.json", compilerOptions, include: INCLUDED, references: [] }),
    );
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("needs a role and a codec; as a message traits and words; with a role of its own, an interpretation", () => {
    const roles = 'export const KIND_ROLES = {\n  planted: "message",\n  other: "other",';
    const change = (source: string): string =>
      withKinds(source, "roleless", "planted", "other").replace("export const KIND_ROLES = {", roles);
    const needed = ["body-codecs.ts", "body-traits.ts", "content.ts", "interpret-envelope.ts", "message-text.ts"];
    // What looks a role up does not compile either; and nothing else of the copy is wrong.
    expect(refusedAfter(change)).toEqual(["apply-message.ts", ...needed]);
  });
});
