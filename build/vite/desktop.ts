// Bundles for the desktop: the shell's main process and the node that it starts as a process of its own.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { build, type InlineConfig } from "vite";
import { ROOT } from "../scripts/process.ts";

/** Native or provided by the runtime: never bundled. */
const EXTERNAL = ["electron", "better-sqlite3"];

/** Files that the node reads beside its code. */
const NODE_ASSETS = ["docs"];

/** Builds dist/electron/main.mjs and dist/node/{main,verify-worker}.mjs. */
export async function buildDesktop(): Promise<void> {
  await build(bundle("electron", "electron/main/index.ts"));
  await build(bundle("node", "node/main.ts"));
  // The node starts this file as a thread of its own, so it stands beside the node's.
  await build(bundle("node", "node/crypto/verify-worker.ts", "verify-worker.mjs"));
  for (const folder of NODE_ASSETS) cpSync(join(ROOT, "node/api", folder), join(ROOT, "dist/node", folder), { recursive: true });
}

function bundle(name: string, entry: string, file = "main.mjs"): InlineConfig {
  return {
    configFile: false,
    root: ROOT,
    logLevel: "warn",
    publicDir: false,
    ssr: { noExternal: true, external: EXTERNAL },
    build: {
      ssr: join(ROOT, entry),
      target: "node24",
      outDir: join(ROOT, "dist", name),
      emptyOutDir: file === "main.mjs",
      minify: false,
      sourcemap: true,
      rolldownOptions: { output: { entryFileNames: file, format: "es", codeSplitting: false } },
    },
  };
}
