// Contracts of the library that the interface deploys by itself, compiled while it is built: their source is the only copy.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";
import { ROOT } from "../scripts/process.ts";

/** Import of each, and its folder. */
const BUNDLED: Readonly<Record<string, string>> = { "virtual:contracts/multisig": "node/contracts/examples/multisig" };

/** Folder of the sources: what is built with them is stale when they change. */
export const CONTRACT_SOURCES = "node/contracts";

/** What is used of the compiler: its sources belong to the node, and are no part of what is built here. */
interface ContractCompiler {
  buildContract(folder: string, print: (line: string) => void): Promise<{ readonly code: Uint8Array; readonly abiJson: string }>;
}

/** The plugin: each import is a module with `wasmB64`, `hash` (SHA-256, hex) and `abiJson`. */
export function bundledContracts(): Plugin {
  return {
    name: "parley:contracts",
    resolveId: (id) => (Object.hasOwn(BUNDLED, id) ? `\0${id}` : null),
    load: async (id): Promise<string | null> => {
      const folder = id.startsWith("\0") ? BUNDLED[id.slice(1)] : undefined;
      if (folder === undefined) return null;
      const compiler = (await import(pathToFileURL(join(ROOT, CONTRACT_SOURCES, "build-contract.ts")).href)) as ContractCompiler;
      const { code, abiJson } = await compiler.buildContract(join(ROOT, folder), () => undefined);
      const contract = {
        wasmB64: Buffer.from(code).toString("base64"),
        hash: createHash("sha256").update(code).digest("hex"),
        abiJson,
      };
      return Object.entries(contract)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join("\n");
    },
  };
}
