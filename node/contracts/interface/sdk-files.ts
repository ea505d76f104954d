// The sources of the SDK. What is in its library belongs to the interface of the contract that imports it: its events, structs and names.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of the SDK. */
export const SDK_FOLDER = fileURLToPath(new URL("../sdk", import.meta.url));

/** How the compiler names sources of the SDK. */
const SDK_PATH = "~lib/";
const LIBRARY = "parley/library/";

/** Path of a part of the library that an import names; undefined for any other import. */
export function libraryPath(imported: string): string | undefined {
  return imported.startsWith(LIBRARY) && !imported.includes("..") ? `${SDK_PATH}${imported}.ts` : undefined;
}

/** Path of a file of the SDK as sources are named. */
export function sdkSourcePath(name: string): string {
  return `${SDK_PATH}${name}`;
}

/** Text of a source of the SDK by the path that {@link libraryPath} gives; undefined for another path. */
export function readSdkSource(path: string): string | undefined {
  if (!path.startsWith(SDK_PATH)) return undefined;
  const file = join(SDK_FOLDER, path.slice(SDK_PATH.length));
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
