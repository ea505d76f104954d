// What tests of much mail compute natively is what the script computes.
import * as library from "@noble/ed25519";
import { mnemonicToSeedSync } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import nacl from "tweetnacl";
import { expect, it } from "vitest";
import "#shared/protocol/primitives/signature.ts";
import * as nativeBip39 from "#test/support/native/bip39.ts";
import * as nativeLibrary from "#test/support/native/noble-ed25519.ts";
import nativeNacl from "#test/support/native/tweetnacl.ts";

const bytes = (first: number, length = 32): Uint8Array => Uint8Array.from({ length }, (_, index) => (first * 31 + index * 7) & 0xff);

it("X25519, also of keys of small order and of unusual encodings", () => {
  const publics = [0, 1, 2, 3].map((seed) => nacl.box.keyPair.fromSecretKey(bytes(seed)).publicKey);
  const odd = [new Uint8Array(32), new Uint8Array(32).with(0, 1), new Uint8Array(32).fill(0xff), bytes(9).with(31, 0xff)];
  for (const seed of [5, 6, 7]) {
    const secret = bytes(seed);
    expect(nativeNacl.box.keyPair.fromSecretKey(secret)).toEqual(nacl.box.keyPair.fromSecretKey(secret));
    for (const key of [...publics, ...odd]) expect(nativeNacl.scalarMult(secret, key)).toEqual(nacl.scalarMult(secret, key));
  }
  expect(nativeNacl.scalarMult).not.toBe(nacl.scalarMult);
});

it("Ed25519", () => {
  for (const seed of [1, 2, 3]) {
    expect(nativeLibrary.getPublicKey(bytes(seed))).toEqual(library.getPublicKey(bytes(seed)));
    expect(nativeLibrary.sign(bytes(seed, 40 * seed), bytes(seed))).toEqual(library.sign(bytes(seed, 40 * seed), bytes(seed)));
  }
});

it("seeds of phrases", () => {
  const phrase = nativeBip39.entropyToMnemonic(bytes(4), wordlist);
  for (const passphrase of ["", "ä passphrase"])
    expect(nativeBip39.mnemonicToSeedSync(phrase, passphrase)).toEqual(mnemonicToSeedSync(phrase, passphrase));
});
