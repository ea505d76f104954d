// What a program says of its build: in a checkout what git says of that, in a release what stands beside the package.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { formatVersion, readVersion } from "#node/config/build-info.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const AUTHOR = ["-c", "user.name=Robin", "-c", "user.email=robin@example.org", "-c", "commit.gpgsign=false"];

it("asks git about a checkout, says that it knows no commit where there is none, and takes a release's word", async () => {
  await using folder = await createTemporaryFolder();
  const { path } = folder;
  const git = (...args: readonly string[]): string => execFileSync("git", ["-C", path, ...AUTHOR, ...args], { encoding: "utf8" }).trim();
  writeFileSync(join(path, "package.json"), JSON.stringify({ version: "1.2.3" }));
  const unknown = { tag: "v1.2.3", commit: "unknown", date: "unknown", dirty: "false" };
  expect(readVersion(path)).toEqual({ nodeVersion: "1.2.3", build: unknown });
  git("init", "--quiet");
  git("add", "package.json");
  git("commit", "--quiet", "--message", "first");
  const [commit, date] = git("log", "-1", "--format=%H %cI").split(" ");
  expect(readVersion(path).build).toEqual({ ...unknown, commit, date });
  writeFileSync(join(path, "package.json"), JSON.stringify({ version: "1.2.4" }));
  expect(readVersion(path).build).toEqual({ tag: "v1.2.4", commit, date, dirty: "true" });
  writeFileSync(join(path, "build-info.json"), JSON.stringify({ tag: "v1.2.4", commit: "abc", date: "today", dirty: "false" }));
  expect(formatVersion(readVersion(path))).toBe("parley 1.2.4 (tag v1.2.4, commit abc, date today, dirty false)");
});
