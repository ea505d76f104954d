// What tests of much mail compute natively is what the script computes.
import * as library from "@noble/ed25519";
import { mnemonicToSeedSync } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import nacl from "tweetnacl";
import { expect, it } from "vitest";
import * as script from "#shared/protocol/primitives/signature.ts";
import * as nativeBip39 from "#test/support/native/bip39.ts";
import * as nativeLibrary from "#test/support/native/noble-ed25519.ts";
import * as nativeRule from "#test/support/native/signature.ts";
import nativeNacl from "#test/support/native/tweetnacl.ts";
import { decryptHere, encryptHere, signHere } from "#test/support/native/web-crypto.ts";

const bytes = (first: number, length = 32): Uint8Array => Uint8Array.from({ length }, (_, index) => (first * 31 + index * 7) & 0xff);

it("X25519, also of keys of small order and of unusual encodings", () => {
  const publics = [0, 1, 2, 3].map((seed) => nacl.box.keyPair.fromSecretKey(bytes(seed)).publicKey);
  const odd = [new Uint8Array(32), new Uint8Array(32).with(0, 1), new Uint8Array(32).fill(0xff), bytes(9).with(31, 0xff)];
  for (const seed of [5, 6, 7]) {
    const secret = bytes(seed);
    // The second time it is remembered.
    for (const _ of [1, 2]) expect(nativeNacl.box.keyPair.fromSecretKey(secret)).toEqual(nacl.box.keyPair.fromSecretKey(secret));
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

it("the consensus rule of signatures and keys", () => {
  const message = bytes(40, 100);
  const [key, other] = [1, 2].map((seed) => library.getPublicKey(bytes(seed)));
  if (key === undefined || other === undefined) throw new Error("two keys were made");
  const signature = library.sign(message, bytes(1));
  const neutral = new Uint8Array(32).with(0, 1);
  const cases: readonly Parameters<typeof script.verifyZip215>[] = [
    [signature, message, key],
    [signature, message, other],
    [signature, message.with(3, 0), key],
    [signature.with(40, 0), message, key],
    [signature.subarray(1), message, key],
    // Cofactored acceptance, of which libsodium knows nothing: any message under the neutral element.
    [new Uint8Array(64).with(0, 1), message, neutral],
  ];
  const outcomes = cases.map((input) => nativeRule.verifyZip215(...input));
  expect(outcomes).toEqual([true, false, false, false, false, true]);
  expect(outcomes).toEqual(cases.map((input) => script.verifyZip215(...input)));
  const keys = [key, other, neutral, bytes(9), new Uint8Array(32).fill(0xff)].map((each) => Buffer.from(each).toString("hex"));
  for (const each of [...keys, "", "zz", keys.join("")])
    expect(nativeRule.isAcceptablePublicKey(each), each).toBe(script.isAcceptablePublicKey(each));
  expect(nativeRule.verifyZip215).not.toBe(script.verifyZip215);
});

it("seeds of phrases", () => {
  const phrase = nativeBip39.entropyToMnemonic(bytes(4), wordlist);
  for (const passphrase of ["", "ä passphrase"])
    expect(nativeBip39.mnemonicToSeedSync(phrase, passphrase)).toEqual(mnemonicToSeedSync(phrase, passphrase));
});

it("sealing and keyed hashes of WebCrypto", async () => {
  const key = await crypto.subtle.importKey("raw", Uint8Array.from(bytes(1)), "AES-GCM", false, ["encrypt", "decrypt"]);
  const other = await crypto.subtle.importKey("raw", Uint8Array.from(bytes(2)), "AES-GCM", false, ["encrypt", "decrypt"]);
  const hmac = await crypto.subtle.importKey("raw", Uint8Array.from(bytes(3)), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const iv = Uint8Array.from(bytes(4, 12));
  for (const additionalData of [undefined, Uint8Array.from(bytes(5, 30))])
    for (const length of [0, 1, 100, 70_000]) {
      const algorithm = { name: "AES-GCM", iv, ...(additionalData !== undefined && { additionalData }) };
      const data = Uint8Array.from(bytes(6, length));
      const sealed = new Uint8Array(encryptHere(algorithm, key, data));
      expect(Buffer.compare(sealed, new Uint8Array(await crypto.subtle.encrypt(algorithm, key, data)))).toBe(0);
      expect(Buffer.compare(new Uint8Array(decryptHere(algorithm, key, sealed)), data)).toBe(0);
      const damaged = sealed.with(sealed.length - 1, (sealed.at(-1) ?? 0) ^ 1);
      for (const [used, wrong] of [[other, sealed] as const, [key, damaged] as const, [key, new Uint8Array(5)] as const]) {
        expect(() => decryptHere(algorithm, used, wrong)).toThrow(expect.objectContaining({ name: "OperationError" }));
        await expect(crypto.subtle.decrypt(algorithm, used, wrong)).rejects.toMatchObject({ name: "OperationError" });
      }
      expect(signHere(hmac, data)).toEqual(await crypto.subtle.sign("HMAC", hmac, data));
    }
});
