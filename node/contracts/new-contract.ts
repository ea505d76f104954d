// A folder for a new contract: a copy of one of the examples, or of the template of a language.
import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CodedError } from "#shared/errors/coded-error.ts";
import { CONTRACT_FILES, type ContractLanguage, isContractLanguage, LANGUAGE_SOURCES } from "./contract-project.ts";
import { BUDGET_FILE } from "./testing/gas-budget.ts";

/** What a new contract begins with. */
export interface NewContract {
  /** AssemblyScript unless said. */
  readonly language?: string;
  /** Name of an example; the counter unless said. */
  readonly example?: string;
}

/** Folder with the examples. */
export const EXAMPLES_FOLDER = fileURLToPath(new URL("./examples", import.meta.url));

/** Folder with a folder for each language, which has what differs from the counter of the examples. */
const TEMPLATES_FOLDER = fileURLToPath(new URL("./templates", import.meta.url));

const FIRST_EXAMPLE = "counter";

/** Names of the examples; none in the packaged app, which brings no sources. */
export function exampleNames(): readonly string[] {
  if (!existsSync(EXAMPLES_FOLDER)) return [];
  return readdirSync(EXAMPLES_FOLDER)
    .filter((name) => existsSync(join(EXAMPLES_FOLDER, name, CONTRACT_FILES.source)))
    .sort();
}

/** Copies an example or a template into a folder that does not exist yet, and names the files. @throws CodedError CONFIG_INVALID */
export function createContract(folder: string, { language = "as", example = FIRST_EXAMPLE }: NewContract): readonly string[] {
  if (!isContractLanguage(language))
    throw new CodedError("CONFIG_INVALID", `There is no language ${language}: choose one of ${Object.keys(LANGUAGE_SOURCES).join(", ")}`);
  if (!exampleNames().includes(example))
    throw new CodedError("CONFIG_INVALID", `There is no example ${example}: choose one of ${exampleNames().join(", ")}`);
  if (language !== "as" && example !== FIRST_EXAMPLE)
    throw new CodedError("CONFIG_INVALID", `The example ${example} is in AssemblyScript: leave out --lang or --example`);
  if (existsSync(folder)) throw new CodedError("CONFIG_INVALID", `${folder} already exists: choose another name`);
  const files = filesOf(language, example);
  try {
    mkdirSync(folder, { recursive: true });
    for (const [file, source] of files) cpSync(source, join(folder, file));
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", `${folder} cannot be written: check its permissions`, { cause });
  }
  return [...files.keys()];
}

/** Names of the files with where they come from. All templates count alike, so ABI and tests are those of the example. */
function filesOf(language: ContractLanguage, example: string): ReadonlyMap<string, string> {
  const ofExample = (file: string): [string, string] => [file, join(EXAMPLES_FOLDER, example, file)];
  const shared = [ofExample(CONTRACT_FILES.abi), ofExample(CONTRACT_FILES.test)];
  // Prices of the example, which other languages do not have.
  if (language === "as") shared.push(ofExample(BUDGET_FILE));
  const template = join(TEMPLATES_FOLDER, language);
  const own = readdirSync(template).map((file): [string, string] => [file, join(template, file)]);
  const source = language === "as" ? [ofExample(CONTRACT_FILES.source)] : [];
  return new Map([...source, ...own, ...shared]);
}
