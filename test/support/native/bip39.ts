// @scure/bip39 with the 2,048 rounds of a phrase's seed by OpenSSL: for tests in which many people make or restore an identity. The library is
// loaded past the alias that put this file in its place.
import { pbkdf2Sync } from "node:crypto";
import { createRequire } from "node:module";
import type * as Library from "@scure/bip39";

const ROUNDS = 2_048;
const SEED_BYTES = 64;

/** The library's own. */
export const { entropyToMnemonic, mnemonicToEntropy } = createRequire(import.meta.url)("@scure/bip39") as typeof Library;

/** Seed (64 bytes) of a phrase. */
export const mnemonicToSeedSync: typeof Library.mnemonicToSeedSync = (phrase, passphrase = "") =>
  new Uint8Array(pbkdf2Sync(phrase.normalize("NFKD"), `mnemonic${passphrase.normalize("NFKD")}`, ROUNDS, SEED_BYTES, "sha512"));
