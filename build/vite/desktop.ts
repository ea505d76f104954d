// Bundles for the desktop: the shell's main process, its preload scripts, and as processes of their own the keyring, the node and the gateway
// for programs.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { build, type InlineConfig } from "vite";
import { ROOT } from "../scripts/process.ts";

/** Native or provided by the runtime: never bundled. */
const EXTERNAL = ["electron", "better-sqlite3"];

/** Files that the node reads beside its code. */
const NODE_ASSETS = ["docs"];

/** Builds main.mjs of the shell, the keyring, the gateway and the node with its workers, and the preload scripts, each in its folder of dist. */
export async function buildDesktop(): Promise<void> {
  await build(bundle("electron", "electron/main/index.ts"));
  await build(bundle("keyring", "electron/keyring/main.ts"));
  // A sandboxed preload script is one CommonJS file.
  await build(bundle("preload", "electron/preload/preload.ts", { file: "preload.cjs", format: "cjs" }));
  await build(bundle("preload", "electron/preload/confirmation.ts", { file: "confirmation.cjs", format: "cjs", emptiesFolder: false }));
  await build(bundle("preload", "electron/preload/approval.ts", { file: "approval.cjs", format: "cjs", emptiesFolder: false }));
  await build(bundle("gateway", "node/gateway/main.ts"));
  await build(bundle("node", "node/main.ts"));
  // The node starts these files as threads and processes of their own, so they are beside the node's.
  await build(bundle("node", "node/crypto/verify-worker.ts", { file: "verify-worker.mjs", emptiesFolder: false }));
  await build(bundle("node", "node/storage/chain/block-writer-worker.ts", { file: "block-writer-worker.mjs", emptiesFolder: false }));
  await build(bundle("node", "node/storage/chain/migration/migration-worker.ts", { file: "migration-worker.mjs", emptiesFolder: false }));
  await build(bundle("node", "node/storage/snapshots/snapshot-worker.ts", { file: "snapshot-worker.mjs", emptiesFolder: false }));
  await build(
    bundle("node", "node/storage/chain/sealing/history-sealer-worker.ts", { file: "history-sealer-worker.mjs", emptiesFolder: false }),
  );
  await build(bundle("node", "node/sync/backfill/backfill-worker.ts", { file: "backfill-worker.mjs", emptiesFolder: false }));
  await build(bundle("node", "node/network/calls/call-relay-worker.ts", { file: "call-relay-worker.mjs", emptiesFolder: false }));
  await build(bundle("node", "node/composition/reads/read-worker.ts", { file: "read-worker.mjs", emptiesFolder: false }));
  await build(bundle("node", "node/composition/reads/contract-reader.ts", { file: "contract-reader.mjs", emptiesFolder: false }));
  for (const folder of NODE_ASSETS) cpSync(join(ROOT, "node/api/http", folder), join(ROOT, "dist/node", folder), { recursive: true });
  cpSync(join(ROOT, "build/icons"), join(ROOT, "dist/icons"), { recursive: true });
}

interface BundleOutput {
  readonly file?: string;
  readonly format?: "es" | "cjs";
  readonly emptiesFolder?: boolean;
}

function bundle(name: string, entry: string, { file = "main.mjs", format = "es", emptiesFolder = true }: BundleOutput = {}): InlineConfig {
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
      emptyOutDir: emptiesFolder,
      minify: false,
      sourcemap: true,
      rolldownOptions: { output: { entryFileNames: file, format, codeSplitting: false } },
    },
  };
}
