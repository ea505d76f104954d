// Finds the pinned runtime and keeps node_modules in step with the lock file. Plain JavaScript: runs under any Node >= 20.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Major version the project is written for. */
export const RUNTIME_MAJOR = 24;

/** True when a version such as "24.21.0" is of at least the given major. */
export function isAtLeast(version, major) {
  return Number(version.split(".")[0]) >= major;
}

/** Path of a Node 24 or newer: the running one, else the one npm installed for this platform, else undefined. */
export function findRuntime(root) {
  if (isAtLeast(process.versions.node, RUNTIME_MAJOR)) return process.execPath;
  const platform = process.platform === "win32" ? "win" : process.platform;
  const executable = process.platform === "win32" ? "node.exe" : "node";
  const path = join("node_modules", `node-${platform}-${process.arch}`, "bin", executable);
  return [...aboveOf(root)].map((folder) => join(folder, path)).find((file) => existsSync(file));
}

/** A folder and those above it: installed as a package, Parley has its packages in a folder above its own. */
function* aboveOf(folder) {
  yield folder;
  const parent = dirname(folder);
  if (parent !== folder) yield* aboveOf(parent);
}

/** Runs `npm ci` unless the installed packages are those of the lock file. Throws one clear sentence when that fails. */
export function ensureInstalled(root) {
  const lock = join(root, "package-lock.json");
  if (!existsSync(lock)) return;
  const stamp = join(root, "node_modules", ".parley-install");
  const hash = createHash("sha256").update(readFileSync(lock)).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
  process.stderr.write("Installing the packages of the lock file…\n");
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith("js") ? [process.execPath, [npm]] : ["npm", []];
  const result = spawnSync(command, [...first, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32" && command === "npm",
  });
  if (result.status !== 0)
    throw new Error("npm could not install the packages: see its message above, check the network and run the command again.");
  writeFileSync(stamp, hash);
}
