// The program `parley` for the npm package, and the client for programs: JavaScript in dist/program. What is started by its path has the
// path of its source; everything else is in chunks that follow the dynamic imports, so a command still loads its own modules alone.
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build, type Plugin } from "vite";
import { ROOT } from "../scripts/process.ts";

/** Folder of the built program. */
export const PROGRAM_FOLDER = join(ROOT, "dist/program");

/** Native, or a compiler that authors of contracts bring along: never bundled. */
const EXTERNAL = ["better-sqlite3", "sodium-native", "assemblyscript", "binaryen"];

/** Modules that start as programs, threads or processes, or that such a start names. */
const ENTRIES = [
  "node/main.ts",
  "node/crypto/verify-worker.ts",
  "node/storage/chain/block-writer-worker.ts",
  "node/storage/chain/migration/migration-worker.ts",
  "node/storage/snapshots/snapshot-worker.ts",
  "node/storage/chain/sealing/history-sealer-worker.ts",
  "node/sync/backfill/backfill-worker.ts",
  "node/network/calls/call-relay-worker.ts",
  "node/composition/reads/read-worker.ts",
  "node/composition/reads/contract-reader.ts",
  "node/contracts/testing/resolve-hooks.ts",
  "node/contracts/testing/test-chain.ts",
  "agent/main.ts",
  "agent/network/main.ts",
  // What package.json exports for programs.
  "client/index.ts",
];

/** Files that the program reads beside its code. */
const ASSETS = [
  "node/api/http/docs",
  "node/contracts/sdk",
  "node/contracts/examples",
  "node/contracts/templates",
  "node/contracts/client/client-runtime.ts",
  "node/contracts/client/event-runtime.ts",
  // The launcher, which is JavaScript already.
  "node/parley.mjs",
  "build/scripts/runtime.mjs",
];

/** Stands for the address of a source until its chunk has a place. */
const PLACE = "__placeOfSource";

/** What an example's folder has only after it was built. */
const BUILT = /\/(contract\.wasm|contract\.debug\.wasm|contract\.wasm\.map|client\.ts)$/;

/** Builds dist/program with its launcher; `buildInfo` says which commit it is. */
export async function buildProgram(version: string, buildInfo: object): Promise<void> {
  rmSync(PROGRAM_FOLDER, { recursive: true, force: true });
  await build({
    configFile: false,
    root: ROOT,
    logLevel: "warn",
    publicDir: false,
    ssr: { noExternal: true, external: EXTERNAL },
    plugins: [sourcePlaces()],
    build: {
      ssr: true,
      target: "node24",
      outDir: PROGRAM_FOLDER,
      emptyOutDir: false,
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: Object.fromEntries(ENTRIES.map((entry) => [entry.replace(/\.ts$/, ""), join(ROOT, entry)])),
        output: { format: "es", entryFileNames: "[name].mjs", chunkFileNames: "chunks/[name]-[hash].mjs" },
      },
    },
  });
  for (const path of ASSETS)
    cpSync(join(ROOT, path), join(PROGRAM_FOLDER, path), { recursive: true, filter: (name) => !BUILT.test(name.replaceAll("\\", "/")) });
  writeJson("package.json", { name: "parley", version, type: "module" });
  writeJson("build-info.json", buildInfo);
  cpSync(join(ROOT, "dist/renderer"), join(PROGRAM_FOLDER, "dist/renderer"), { recursive: true, filter: (name) => !name.endsWith(".map") });
}

/** Lets `import.meta.url` of a source mean its place among the sources, in whatever chunk it is, as the files beside it have that place too. */
function sourcePlaces(): Plugin {
  return {
    name: "source-places",
    transform(code, id): { readonly code: string; readonly map: null } | null {
      const path = relative(ROOT, id).replaceAll("\\", "/");
      if (path.startsWith("..") || path.includes("node_modules") || !code.includes("import.meta.url")) return null;
      return { code: code.replaceAll("import.meta.url", `${PLACE}(${JSON.stringify(path.replace(/\.ts$/, ".mjs"))})`), map: null };
    },
    renderChunk(code, { fileName }): { readonly code: string; readonly map: null } {
      const up = "../".repeat(fileName.split("/").length - 1) || "./";
      const place = new RegExp(`${PLACE}\\(["']([^"']+)["']\\)`, "g");
      return { code: code.replace(place, (_, path: string) => `new URL(${JSON.stringify(up + path)}, import.meta.url).href`), map: null };
    },
  };
}

function writeJson(name: string, value: object): void {
  writeFileSync(join(PROGRAM_FOLDER, name), `${JSON.stringify(value, undefined, 2)}\n`);
}
