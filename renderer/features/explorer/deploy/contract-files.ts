// The files of a contract as they are chosen: what can be known of them without the node.
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import type { TriedModule } from "#renderer/lib/transactions/trials/use-deployment-trial.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { MAX_ABI_BYTES, MAX_WASM_BYTES } from "#shared/protocol/primitives/limits.ts";
import { type ContractAbi, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { fromUtf8, toBase64, toHex } from "#shared/util/bytes.ts";

const MODULE_START = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const MAX_NAME_CHARS = 64;

/** A module, or why the file is none. */
export interface ChosenModule extends TriedModule {
  readonly fileName: string;
  readonly size: number;
  readonly problem: string | undefined;
}

/** An interface, or why the file is none. */
export interface ChosenAbi {
  readonly fileName: string;
  readonly text: string;
  readonly abi: ContractAbi | undefined;
  readonly problem: string | undefined;
}

/** Reads a module; a file that is too long is not read. */
export async function readModule(t: Translate, file: File): Promise<ChosenModule> {
  const none = { fileName: file.name, size: file.size, wasmB64: "", hash: "" };
  const number = new Intl.NumberFormat(t.locale);
  if (file.size > MAX_WASM_BYTES)
    return { ...none, problem: t("explorer.moduleTooLong", { size: number.format(file.size), limit: number.format(MAX_WASM_BYTES) }) };
  const bytes = await bytesOf(file);
  if (bytes === undefined) return { ...none, problem: t("explorer.fileUnreadable") };
  if (!MODULE_START.every((byte, index) => bytes[index] === byte)) return { ...none, problem: t("explorer.noModule") };
  return { ...none, wasmB64: toBase64(bytes), hash: toHex(sha256(bytes)), problem: undefined };
}

/** Reads an interface. */
export async function readAbi(t: Translate, file: File): Promise<ChosenAbi> {
  const none = { fileName: file.name, text: "", abi: undefined };
  if (file.size > MAX_ABI_BYTES)
    return { ...none, problem: t("explorer.abiTooLong", { limit: new Intl.NumberFormat(t.locale).format(MAX_ABI_BYTES) }) };
  const bytes = await bytesOf(file);
  if (bytes === undefined) return { ...none, problem: t("explorer.fileUnreadable") };
  const text = textOf(bytes);
  const abi = text === undefined ? undefined : parseContractAbi(text);
  return { ...none, text: text ?? "", abi, problem: abi === undefined ? t("explorer.noAbi") : undefined };
}

/** The interface of a module without one: its functions, without arguments. */
export function abiOfFunctions(fileName: string, functions: readonly string[]): string {
  const name = fileName
    .toLowerCase()
    .replace(/\.wasm$/, "")
    .replaceAll(/[^a-z0-9_.-]/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, MAX_NAME_CHARS);
  const methods = functions.map((method) => ({ name: method, args: [] }));
  return JSON.stringify({ contract: name === "" ? "contract" : name, version: "1.0.0", methods });
}

/** Undefined for a file that is gone, changed since it was chosen, or may not be read. */
async function bytesOf(file: File): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return fromUtf8(bytes);
  } catch {
    return undefined;
  }
}
