// A folder for a new contract: a copy of one of the examples.
import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CodedError } from "#shared/errors/coded-error.ts";
import { CONTRACT_FILES } from "./build-contract.ts";

/** Folder with the examples. */
export const EXAMPLES_FOLDER = fileURLToPath(new URL("./examples", import.meta.url));

/** Names of the examples; none in the packaged app, which brings no sources. */
export function exampleNames(): readonly string[] {
  if (!existsSync(EXAMPLES_FOLDER)) return [];
  return readdirSync(EXAMPLES_FOLDER)
    .filter((name) => existsSync(join(EXAMPLES_FOLDER, name, CONTRACT_FILES.source)))
    .sort();
}

/** Copies an example into a folder that does not exist yet, and names the files. @throws CodedError CONFIG_INVALID */
export function createContract(folder: string, example: string): readonly string[] {
  if (!exampleNames().includes(example))
    throw new CodedError("CONFIG_INVALID", `There is no example ${example}: choose one of ${exampleNames().join(", ")}`);
  if (existsSync(folder)) throw new CodedError("CONFIG_INVALID", `${folder} already exists: choose another name`);
  const files = [CONTRACT_FILES.source, CONTRACT_FILES.abi, CONTRACT_FILES.test];
  try {
    mkdirSync(folder, { recursive: true });
    for (const file of files) cpSync(join(EXAMPLES_FOLDER, example, file), join(folder, file));
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", `${folder} cannot be written: check its permissions`, { cause });
  }
  return files;
}
