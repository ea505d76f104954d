// Builds that are made again only when their sources changed since the last one.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../process.ts";

/** Something that is built into dist/. */
export interface StaleBuild {
  readonly name: string;
  /** Folders of the project that it is made of. */
  readonly sources: readonly string[];
  /** A file that is there once it was built. */
  readonly output: string;
  readonly build: () => Promise<void>;
}

/** Builds unless it is up to date. Returns true when it built. */
export async function buildWhenStale({ name, sources, output, build }: StaleBuild): Promise<boolean> {
  const stamp = join(ROOT, "dist", `${name}.stamp`);
  const hash = sourceHash(sources);
  if (existsSync(join(ROOT, output)) && existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return false;
  process.stderr.write(`Building: ${name}…\n`);
  rmSync(stamp, { force: true });
  await build();
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  writeFileSync(stamp, hash);
  return true;
}

function sourceHash(sources: readonly string[]): string {
  const hash = createHash("sha256").update(readFileSync(join(ROOT, "package-lock.json")));
  for (const source of sources) {
    const entries = readdirSync(join(ROOT, source), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const path of entries.map((entry) => join(entry.parentPath, entry.name)).sort())
      hash.update(path.slice(ROOT.length)).update("\0").update(readFileSync(path));
  }
  return hash.digest("hex");
}
