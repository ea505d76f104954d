// What `npm pack` runs before it packs: the program and parley/client as JavaScript, and the interface, so that the package
// works without a build.
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildProgram, PROGRAM_FOLDER } from "#build/vite/program.ts";
import { buildStaleRenderer } from "../build/build-renderer.ts";
import { ROOT, runNode } from "../process.ts";
import { bundledPackages, FONT_PACKAGES, noticesText } from "./bundled-packages.ts";

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { readonly version: string };

await buildStaleRenderer();
await buildProgram(version, buildInfo());
process.exitCode = await runNode("node_modules/typescript/bin/tsc", ["-b", "client"]);
const isDeclaration = (path: string): boolean => !/\.\w+$/.test(path) || path.endsWith(".d.ts");
cpSync(join(ROOT, ".cache/types/client"), join(PROGRAM_FOLDER, "client"), { recursive: true, filter: isDeclaration });
const packages = bundledPackages([PROGRAM_FOLDER, join(ROOT, "dist/renderer")], FONT_PACKAGES);
writeFileSync(join(PROGRAM_FOLDER, "THIRD-PARTY.txt"), noticesText(packages));

/** Tag, commit, its time, and whether the files differ from it: what the program of this checkout says of itself. */
function buildInfo(): Readonly<Record<string, string>> {
  const [commit = "unknown", date = "unknown"] = git("log", "-1", "--format=%H %cI")?.split(" ") ?? [];
  const status = git("status", "--porcelain", "--untracked-files=no");
  return { tag: `v${version}`, commit, date, dirty: String(status !== undefined && status !== "") };
}

/** What git answers; undefined where there is no repository. */
function git(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync("git", ["--no-optional-locks", ...args], { cwd: ROOT, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
