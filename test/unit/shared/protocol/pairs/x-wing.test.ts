// X-Wing by the vectors of its draft, in script and native, and one against the other.
import { ml_kem768_x25519 as XWing } from "@noble/post-quantum/hybrid.js";
import { describe, expect, it } from "vitest";
import { nativeKem } from "#electron/keyring/native-kem.ts";
import type { KemPrimitives } from "#shared/protocol/pairs/kem-primitives.ts";
import { scriptKem } from "#shared/protocol/pairs/script-kem.ts";
import { xWingDecapsulate, xWingEncapsulate, xWingPublicKey } from "#shared/protocol/pairs/x-wing.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";
import { systemRandom } from "#test/support/worlds/keyring-world.ts";

interface Case {
  readonly seed: string;
  readonly eseed: string;
  readonly ss: string;
  readonly pk: string;
  readonly ct: string;
}

const cases = readVectors<readonly Case[]>("x-wing.json");
const native = nativeKem();
const KEMS: readonly (readonly [string, KemPrimitives | undefined])[] = [
  ["script", scriptKem],
  ["native", native],
];

it("finds ML-KEM in the runtime that the project pins", () => {
  expect(native).toBeDefined();
});

describe.each(KEMS)("%s primitives", (_, kem = scriptKem) => {
  it.each(cases)("open the vector of seed $seed", ({ seed, pk, ct, ss }) => {
    expect(toHex(xWingPublicKey(kem, fromHex(seed)))).toBe(pk);
    expect(toHex(xWingDecapsulate(kem, fromHex(seed), fromHex(ct)) ?? new Uint8Array())).toBe(ss);
  });

  it("refuse a key of another length, and one whose X25519 half is of small order", () => {
    const key = fromHex(cases[0]?.pk ?? "");
    expect(() => xWingEncapsulate(kem, key.subarray(1), once())).toThrow(RangeError);
    expect(() => xWingEncapsulate(kem, key.fill(0, key.length - 32), once())).toThrow("small order");
  });

  it("give another secret for a changed ciphertext, and none for one of another length", () => {
    const { seed = "", ct = "", ss } = cases[0] ?? {};
    const changed = fromHex(ct);
    changed[5] = (changed[5] ?? 0) ^ 1;
    expect(toHex(xWingDecapsulate(kem, fromHex(seed), changed) ?? new Uint8Array())).not.toBe(ss);
    expect(xWingDecapsulate(kem, fromHex(seed), changed.subarray(1))).toBeUndefined();
    expect(xWingDecapsulate(kem, fromHex(seed), changed.fill(0, changed.length - 32))).toBeUndefined();
  });
});

it.each(cases)("script primitives make the vector of seed $seed", ({ pk, eseed, ct, ss }) => {
  const randomness = { mlKemMessage: fromHex(eseed.slice(0, 64)), x25519Secret: fromHex(eseed.slice(64)) };
  const made = xWingEncapsulate(scriptKem, fromHex(pk), randomness);
  expect([toHex(made.ciphertext), toHex(made.secret)]).toEqual([ct, ss]);
  expect(randomness.x25519Secret.every((byte) => byte === 0)).toBe(true);
});

it("native and script open what the other sealed, and what a third implementation did", () => {
  if (native === undefined) throw new Error("no native ML-KEM");
  const secretKey = systemRandom(32);
  const publicKey = xWingPublicKey(native, secretKey);
  expect(publicKey).toEqual(XWing.keygen(secretKey).publicKey);
  const byNative = xWingEncapsulate(native, publicKey, once());
  expect(xWingDecapsulate(scriptKem, secretKey, byNative.ciphertext)).toEqual(byNative.secret);
  const byScript = xWingEncapsulate(scriptKem, publicKey, once());
  expect(xWingDecapsulate(native, secretKey, byScript.ciphertext)).toEqual(byScript.secret);
  const { cipherText, sharedSecret } = XWing.encapsulate(publicKey);
  expect(xWingDecapsulate(native, secretKey, cipherText)).toEqual(sharedSecret);
  expect(XWing.decapsulate(byNative.ciphertext, secretKey)).toEqual(byNative.secret);
});

function once(): { readonly x25519Secret: Uint8Array } {
  return { x25519Secret: systemRandom(32) };
}
