// Argon2id as WebAssembly: in a file of its own, so that it is loaded when a password is first used and not before the first screen.
import { argon2id } from "hash-wasm";
import type { Argon2Parameters } from "./vault-format.ts";

const KEY_BYTES = 32;

/** Key of a password's bytes. */
export function argon2Key(password: Uint8Array, salt: Uint8Array, parameters: Argon2Parameters): Promise<Uint8Array> {
  const { memoryKib, iterations, parallelism } = parameters;
  return argon2id({ password, salt, memorySize: memoryKib, iterations, parallelism, hashLength: KEY_BYTES, outputType: "binary" });
}
