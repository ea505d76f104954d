// Builds the interface when its sources changed since the last build.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./process.ts";

const SOURCES = ["renderer", "shared", "build/vite"];
const STAMP = join(ROOT, "dist", "renderer.stamp");

/** Builds dist/renderer unless it is up to date. Returns true when it built. */
export async function buildStaleRenderer(): Promise<boolean> {
  const wanted = sourceHash();
  if (existsSync(join(ROOT, "dist/renderer/index.html")) && existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted) return false;
  process.stderr.write("Building the interface…\n");
  const { buildRenderer } = await import("../vite/renderer.ts");
  await buildRenderer();
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  writeFileSync(STAMP, wanted);
  return true;
}

function sourceHash(): string {
  const hash = createHash("sha256").update(readFileSync(join(ROOT, "package-lock.json")));
  for (const source of SOURCES) {
    const entries = readdirSync(join(ROOT, source), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const path of entries.map((entry) => join(entry.parentPath, entry.name)).sort())
      hash.update(path.slice(ROOT.length)).update("\0").update(readFileSync(path));
  }
  return hash.digest("hex");
}
