import { createHmac, createPrivateKey, createPublicKey, diffieHellman } from "node:crypto";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { mnemonicToEntropy } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { describe, expect, it } from "vitest";
import { entropyOfPhrase, phraseOfEntropy, seedOfPhrase } from "#shared/keyring/vault/phrase.ts";
import { slip10Child, slip10Derive, slip10Master } from "#shared/keyring/vault/slip10.ts";
import { openPart, sealPart } from "#shared/keyring/vault/vault-cipher.ts";
import { encodeVault, encodeVaultHeader, parseVault, type VaultFile } from "#shared/keyring/vault/vault-format.ts";
import { x25519 } from "#shared/protocol/mail/envelope.ts";
import { formatInboxProof } from "#shared/protocol/mail/inbox-proof.ts";
import { concatBytes, fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";

interface Wycheproof<Group, Case> {
  readonly testGroups: readonly (Group & { readonly tests: readonly (Case & { readonly tcId: number; readonly result: string })[] })[];
}
type Texts<Name extends string> = Readonly<Record<Name, string>>;

const { english } = readVectors<{ readonly english: readonly (readonly string[])[] }>("bip39.json");
const xchachaVectors = readVectors<Wycheproof<{ ivSize: number; tagSize: number }, Texts<"key" | "iv" | "aad" | "msg" | "ct" | "tag">>>(
  "wycheproof-xchacha20_poly1305_test.json",
);
const x25519Vectors = readVectors<Wycheproof<object, Texts<"private" | "public" | "shared">>>("wycheproof-x25519_test.json");
const hmacVectors = readVectors<Wycheproof<{ tagSize: number }, Texts<"key" | "msg" | "tag">>>("wycheproof-hmac_sha256_test.json");
const golden = readVectors<{
  readonly header: Texts<"id" | "salt" | "master_pub" | "device_pub"> &
    Readonly<Record<"memory_kib" | "iterations" | "parallelism", number>>;
  readonly header_bytes: string;
  readonly body: Texts<"password_slot" | "phrase_slot" | "wallet" | "device"> & { readonly generation: number };
  readonly vault_bytes: string;
}>("vault.json");
const keychainSlot = readVectors<Texts<"wrapping_key" | "data_key" | "wrapped" | "slot" | "vault_bytes">>("keychain-slot.json");

describe("BIP39 English vectors", () => {
  it.each(english)("entropy %s", (entropy, mnemonic, seed) => {
    const words = (mnemonic ?? "").split(" ");
    expect(phraseOfEntropy(fromHex(entropy ?? "")).join(" ")).toBe(mnemonic);
    expect(toHex(mnemonicToEntropy(mnemonic ?? "", wordlist))).toBe(entropy);
    expect(toHex(seedOfPhrase(words, "TREZOR"))).toBe(seed);
    if (words.length === 24) expect(toHex(entropyOfPhrase(mnemonic ?? ""))).toBe(entropy);
  });
});

describe("SLIP-0010 Ed25519 test vector 1", () => {
  const seed = fromHex("000102030405060708090a0b0c0d0e0f");

  it("derives m", () => {
    const master = slip10Master(seed);
    expect(toHex(master.key)).toBe("2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7");
    expect(toHex(master.chainCode)).toBe("90046a93de5380a72b5e45010748567d5ea02bbf6522f979e05c0d8d8ca9fffb");
  });

  it("derives m/0'", () => {
    expect(toHex(slip10Derive(seed, [0]).key)).toBe("68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3");
  });

  it.each([-1, 0.5, 2 ** 31])("refuses the index %s", (index) => {
    expect(() => slip10Child(slip10Master(seed), index)).toThrow(RangeError);
  });
});

describe("Wycheproof XChaCha20-Poly1305", () => {
  const cases = xchachaVectors.testGroups.filter((group) => group.ivSize === 192 && group.tagSize === 128).flatMap((group) => group.tests);

  it("has cases of both results", () => {
    expect(cases.filter(({ result }) => result === "valid").length).toBeGreaterThan(50);
    expect(cases.filter(({ result }) => result === "invalid").length).toBeGreaterThan(20);
  });

  it("opens every valid part, makes the same bytes, and opens no invalid one", () => {
    for (const { tcId, key, iv, aad, msg, ct, tag, result } of cases) {
      const sealed = fromHex(`${iv}${ct}${tag}`);
      const opened = openPart(fromHex(key), sealed, fromHex(aad));
      expect(opened === undefined ? "invalid" : "valid", `case ${tcId}`).toBe(result);
      if (opened === undefined) continue;
      expect(toHex(opened), `case ${tcId}`).toBe(msg);
      expect(toHex(sealPart(fromHex(key), opened, fromHex(aad), () => fromHex(iv)))).toBe(toHex(sealed));
    }
  });
});

describe("Wycheproof X25519", () => {
  const cases = x25519Vectors.testGroups.flatMap((group) => group.tests);

  it("agrees on the listed secrets and refuses the zero one", () => {
    expect(cases.length).toBe(518);
    for (const { tcId, private: secret, public: publicKey, shared } of cases) {
      const expected = /^0+$/.test(shared) ? undefined : shared;
      const agreed = x25519(fromHex(secret), fromHex(publicKey));
      expect(agreed && toHex(agreed), `case ${tcId}`).toBe(expected);
    }
  });
});

describe("Wycheproof HMAC-SHA-256", () => {
  it("makes the listed tags", () => {
    for (const { tagSize, tests } of hmacVectors.testGroups)
      for (const { tcId, key, msg, tag, result } of tests) {
        const made = toHex(hmac(sha256, fromHex(key), fromHex(msg)).subarray(0, tagSize / 8));
        expect(made === tag ? "valid" : "invalid", `case ${tcId}`).toBe(result);
      }
  });
});

describe("inbox proof", () => {
  it("is what node:crypto computes from the other side", () => {
    const mailbox = fromHex("11".repeat(32));
    const relay = fromHex("22".repeat(32));
    const der = (secret: Uint8Array): Buffer => Buffer.concat([Buffer.from("302e020100300506032b656e04220420", "hex"), secret]);
    const relayKey = createPrivateKey({ key: der(relay), format: "der", type: "pkcs8" });
    const mailboxKey = createPublicKey(createPrivateKey({ key: der(mailbox), format: "der", type: "pkcs8" }));
    const relayPub = createPublicKey(relayKey).export({ format: "der", type: "spki" }).subarray(-32);
    const secret = diffieHellman({ privateKey: relayKey, publicKey: mailboxKey });
    const expected = createHmac("sha256", secret).update("DELETE\n/relay/inbox/ab\n1800000000").digest("hex");
    const shared = x25519(mailbox, new Uint8Array(relayPub)) ?? new Uint8Array();
    expect(formatInboxProof(shared, { method: "DELETE", path: "/relay/inbox/ab", unixSeconds: 1_800_000_000 })).toBe(
      `1800000000.${expected}`,
    );
  });
});

describe("vault format", () => {
  const file: VaultFile = {
    header: {
      id: fromHex(golden.header.id),
      argon2: { memoryKib: golden.header.memory_kib, iterations: golden.header.iterations, parallelism: golden.header.parallelism },
      salt: fromHex(golden.header.salt),
      masterPub: golden.header.master_pub,
      devicePub: golden.header.device_pub,
    },
    body: {
      generation: golden.body.generation,
      passwordSlot: fromHex(golden.body.password_slot),
      phraseSlot: fromHex(golden.body.phrase_slot),
      wallet: fromHex(golden.body.wallet),
      device: fromHex(golden.body.device),
    },
  };

  it("writes the golden bytes and reads them back", () => {
    expect(toHex(encodeVaultHeader(file.header))).toBe(golden.header_bytes);
    expect(toHex(encodeVault(file))).toBe(golden.vault_bytes);
    expect(parseVault(fromHex(golden.vault_bytes))).toEqual(file);
  });

  it("writes and opens the keychain's slot that another implementation sealed", () => {
    const keychain = { slot: fromHex(keychainSlot.slot), wrapped: fromHex(keychainSlot.wrapped) };
    const withKeychain = { ...file, body: { ...file.body, generation: 8, keychain } };
    expect(toHex(encodeVault(withKeychain))).toBe(keychainSlot.vault_bytes);
    expect(parseVault(fromHex(keychainSlot.vault_bytes))).toEqual(withKeychain);
    const associated = concatBytes(encodeVaultHeader(file.header), utf8("keychain slot"));
    expect(toHex(openPart(fromHex(keychainSlot.wrapping_key), keychain.slot, associated) ?? new Uint8Array())).toBe(keychainSlot.data_key);
  });

  it("takes no copy with any bit changed, cut or extended", () => {
    const bytes = fromHex(golden.vault_bytes);
    for (let offset = 0; offset < bytes.length; offset += 1) {
      const changed = bytes.slice();
      changed[offset] = (bytes[offset] ?? 0) ^ 0x10;
      expect(parseVault(changed), `offset ${offset}`).toBeUndefined();
      expect(parseVault(bytes.subarray(0, offset))).toBeUndefined();
    }
    expect(parseVault(concatBytes(bytes, Uint8Array.of(0)))).toBeUndefined();
  });

  it("names a later version instead of calling it damage", () => {
    const content = fromHex(golden.vault_bytes).slice(0, -32);
    content[8] = 2;
    expect(() => parseVault(concatBytes(content, sha256(content)))).toThrowError(expect.objectContaining({ code: "STORAGE_NEWER" }));
  });

  it("refuses a well-formed file of another program", () => {
    const content = utf8("x".repeat(100));
    expect(parseVault(concatBytes(content, sha256(content)))).toBeUndefined();
  });
});
