// Work of primitives that is done elsewhere before it is used, for one batch.
import { describe, expect, test } from "vitest";
import { nativeKem } from "#electron/keyring/native-kem.ts";
import { KemAhead, type LateKem, X25519_BASE } from "#shared/protocol/pairs/kem-ahead.ts";
import type { KemPrimitives, MlKemKey } from "#shared/protocol/pairs/kem-primitives.ts";
import { scriptKem } from "#shared/protocol/pairs/script-kem.ts";

const kem = nativeKem() ?? scriptKem;
const key = (fill: number, length = 32): Uint8Array => new Uint8Array(length).fill(fill);
const [secretKey, seed] = [key(3), key(4, 64)];
const publicKey = kem.x25519PublicKey(key(5));

/** Counts what is computed here. */
function counted(): { readonly kem: KemPrimitives; readonly calls: string[] } {
  const calls: string[] = [];
  const counting = new Proxy(kem, {
    get: (target, name): unknown => {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        calls.push(String(name));
        return Reflect.apply(value, target, args);
      };
    },
  });
  return { kem: counting, calls };
}

/** A host that computes what it is given, by the same primitives. */
const late: LateKem = {
  x25519: async (secret, others) => {
    const copy = secret.slice();
    await Promise.resolve();
    return others.map((other) => kem.x25519(copy, other) ?? key(0));
  },
  mlKem: {
    encapsulate: async (other) => kem.mlKemEncapsulate(other),
    decapsulate: async (ofSeed, texts) => texts.map((text) => kem.mlKemDecapsulate(ofSeed, text)),
  },
};

describe("prepared work", () => {
  test("is not computed again, and is what would have been computed here", async () => {
    const { kem: counting, calls } = counted();
    const batch = new KemAhead(counting);
    const mlKemKey = kem.mlKemPublicKey(seed);
    const { ciphertext, secret } = kem.mlKemEncapsulate(mlKemKey);
    await batch.prepare(late, {
      agreements: [
        { secretKey, publicKey },
        { secretKey, publicKey: X25519_BASE },
      ],
      decapsulations: [{ seed, ciphertext }],
      encapsulations: [mlKemKey],
    });
    expect(batch.x25519(secretKey, publicKey)).toEqual(kem.x25519(secretKey, publicKey));
    expect(batch.x25519PublicKey(secretKey)).toEqual(kem.x25519PublicKey(secretKey));
    expect(batch.mlKemDecapsulate(seed, ciphertext)).toEqual(secret);
    const sealed = batch.mlKemEncapsulate(mlKemKey);
    expect(kem.mlKemDecapsulate(seed, sealed.ciphertext)).toEqual(sealed.secret);
    expect(calls).toEqual([]);
  });

  test("an encapsulation is used once: the next one is another", async () => {
    const batch = new KemAhead(kem);
    const mlKemKey = kem.mlKemPublicKey(seed);
    await batch.prepare(late, { agreements: [], encapsulations: [mlKemKey] });
    expect(batch.mlKemEncapsulate(mlKemKey).ciphertext).not.toEqual(batch.mlKemEncapsulate(mlKemKey).ciphertext);
  });

  test("of another secret is not taken for that of this one", async () => {
    const batch = new KemAhead(kem);
    await batch.prepare(late, { agreements: [{ secretKey, publicKey }] });
    expect(batch.x25519(key(6), publicKey)).toEqual(kem.x25519(key(6), publicKey));
  });

  test("that fails, or is of a key of small order, is computed here", async () => {
    const { kem: counting, calls } = counted();
    const batch = new KemAhead(counting);
    const failing: LateKem = { x25519: () => Promise.reject(new Error("Not now")) };
    await batch.prepare(failing, { agreements: [{ secretKey, publicKey }] });
    await batch.prepare(late, { agreements: [{ secretKey, publicKey: key(0) }] });
    expect(batch.x25519(secretKey, publicKey)).toEqual(kem.x25519(secretKey, publicKey));
    expect(batch.x25519(secretKey, key(0))).toBeUndefined();
    expect(calls).toEqual(["x25519", "x25519"]);
  });

  test("wipes the secrets that were made for it at once, and leaves those of others", async () => {
    const batch = new KemAhead(kem);
    const made = secretKey.slice();
    const prepared = batch.prepare(late, { agreements: [{ secretKey: made, publicKey }], secrets: [made] });
    expect(made).toEqual(key(0));
    await prepared;
    expect(batch.x25519(secretKey, publicKey)).toEqual(kem.x25519(secretKey, publicKey));
    expect(secretKey).toEqual(key(3));
  });
});

describe("a batch without a host", () => {
  test("computes once what repeats, and a key of ML-KEM once", () => {
    const { kem: counting, calls } = counted();
    const readyKey = (ofSeed: Uint8Array): MlKemKey => {
      calls.push("mlKemKey");
      return { decapsulate: (text) => kem.mlKemDecapsulate(ofSeed, text), wipe: (): void => undefined };
    };
    const batch = new KemAhead({ ...counting, mlKemKey: readyKey });
    const mlKemKey = kem.mlKemPublicKey(seed);
    const both = [kem.mlKemEncapsulate(mlKemKey), kem.mlKemEncapsulate(mlKemKey)];
    for (const { ciphertext, secret } of both) expect(batch.mlKemDecapsulate(seed, ciphertext)).toEqual(secret);
    for (let n = 0; n < 2; n += 1) expect(batch.x25519(secretKey, publicKey)).toEqual(kem.x25519(secretKey, publicKey));
    expect(calls.filter((name) => name === "mlKemKey" || name === "x25519")).toEqual(["mlKemKey", "x25519"]);
  });

  test("knows nothing any more once it is wiped", () => {
    const { kem: counting, calls } = counted();
    const batch = new KemAhead(counting);
    const first = batch.x25519(secretKey, publicKey);
    batch.wipe();
    expect(batch.x25519(secretKey, publicKey)).toEqual(first);
    expect(calls).toEqual(["x25519", "x25519"]);
  });
});
