// Which build this is: from build-info.json beside the package in releases, else from package.json and git in a checkout.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Build metadata as the version endpoint and `--version` show it. */
export interface BuildInfo {
  readonly tag: string;
  /** Commit hash, or "unknown". */
  readonly commit: string;
  /** RFC 3339 time of the commit or release, or "unknown". */
  readonly date: string;
  /** "true" when the files differ from the commit. */
  readonly dirty: string;
}

/** Version of the package and its build. */
export interface Version {
  readonly nodeVersion: string;
  readonly build: BuildInfo;
}

/** Folder of the package. */
export const PACKAGE_ROOT: string = fileURLToPath(new URL("../..", import.meta.url));

/** Of this program, once it was asked for: in a checkout each answer takes two processes of git. */
let own: Version | undefined;

/** Version and build of the package in `root`. */
export function readVersion(root: string = PACKAGE_ROOT): Version {
  if (root !== PACKAGE_ROOT) return versionOf(root);
  own ??= versionOf(root);
  return own;
}

function versionOf(root: string): Version {
  const nodeVersion = (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string }).version;
  return { nodeVersion, build: releasedBuild(root) ?? checkoutBuild(root, nodeVersion) };
}

/** One line for `--version`. */
export function formatVersion({ nodeVersion, build }: Version): string {
  return `parley ${nodeVersion} (tag ${build.tag}, commit ${build.commit}, date ${build.date}, dirty ${build.dirty})`;
}

function releasedBuild(root: string): BuildInfo | undefined {
  try {
    const { tag, commit, date, dirty } = JSON.parse(readFileSync(join(root, "build-info.json"), "utf8")) as BuildInfo;
    return { tag: String(tag), commit: String(commit), date: String(date), dirty: String(dirty) };
  } catch {
    return undefined;
  }
}

function checkoutBuild(root: string, nodeVersion: string): BuildInfo {
  const log = git(root, "log", "-1", "--format=%H %cI");
  const [commit = "unknown", date = "unknown"] = log?.split(" ") ?? [];
  const status = log === undefined ? undefined : git(root, "status", "--porcelain", "--untracked-files=no");
  return { tag: `v${nodeVersion}`, commit, date, dirty: String(status !== undefined && status !== "") };
}

function git(root: string, ...args: readonly string[]): string | undefined {
  try {
    return execFileSync("git", ["-C", root, "--no-optional-locks", ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 5_000,
    }).trim();
  } catch {
    return undefined;
  }
}
