// What mailbox keys sign: by another implementation's vectors, and refused in every changed form.

import { createPublicKey, verify as verifyByRuntime } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { type BoxDeletion, deletionSignBytes, isSignedDeletion } from "#shared/protocol/mail/box-proof.ts";
import { boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { edwardsKeyOf, isSignedByBoxKey, signXEd25519 } from "#shared/protocol/mail/xeddsa.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { fromHex, toBase64, toHex, utf8 } from "#shared/util/bytes.ts";

interface Vector {
  readonly secret: string;
  readonly random: string;
  readonly mailbox: string;
  readonly edwards: string;
  readonly ids: readonly string[];
  readonly height: number;
  readonly message: string;
  readonly signature: string;
}

const FILE = new URL("../../../../vectors/box-proofs.json", import.meta.url);
const { chainId, deletions } = JSON.parse(readFileSync(FILE, "utf8")) as { chainId: string; deletions: readonly Vector[] };
/** SubjectPublicKeyInfo of Ed25519 before the key. */
const KEY_INFO = "302a300506032b6570032100";

function deletionOf({ mailbox, ids, height, signature }: Vector): BoxDeletion {
  return { mailbox, ids, height, signature: toBase64(fromHex(signature)) };
}

describe("a mailbox key signs", () => {
  it.each(deletions.map((vector, n) => [n, vector] as const))("what another implementation signs: %d", async (_n, vector) => {
    const { secret, random, mailbox, edwards, message, signature } = vector;
    expect(toHex(deletionSignBytes(chainId, vector))).toBe(message);
    expect(toHex(edwardsKeyOf(mailbox) ?? new Uint8Array(0))).toBe(edwards);
    expect(toHex(signXEd25519(fromHex(message), fromHex(secret), fromHex(random)))).toBe(signature);
    for (const verify of [verifyZip215, createNativeVerifier()])
      expect(await isSignedDeletion(chainId, deletionOf(vector), verify)).toBe(true);
    const key = createPublicKey({ key: Buffer.from(KEY_INFO + edwards, "hex"), format: "der", type: "spki" });
    expect(verifyByRuntime(null, fromHex(message), key, fromHex(signature))).toBe(true);
  });

  it("with any key, and as the runtime checks it", async () => {
    const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
    await fc.assert(
      fc.asyncProperty(bytes(32), bytes(64), bytes(20), async (secret, random, message) => {
        const publicKey = toHex(boxKeyPair(secret).publicKey);
        const signature = signXEd25519(message, secret, random);
        expect(await isSignedByBoxKey(createNativeVerifier(), { message, signature, publicKey })).toBe(true);
        const other = { message: utf8("another message"), signature, publicKey };
        expect(await isSignedByBoxKey(verifyZip215, other)).toBe(false);
      }),
      { numRuns: 15 },
    );
  });

  it("nothing else: each part is bound", async () => {
    const [vector, another] = deletions as readonly [Vector, Vector];
    const deletion = deletionOf(vector);
    const changed: readonly BoxDeletion[] = [
      { ...deletion, mailbox: another.mailbox },
      { ...deletion, ids: [...deletion.ids, "more"] },
      { ...deletion, ids: deletion.ids.slice(1) },
      { ...deletion, height: deletion.height + 1 },
      { ...deletion, signature: deletionOf(another).signature },
      { ...deletion, signature: toBase64(fromHex(vector.signature).with(63, 0x80)) },
      { ...deletion, signature: toBase64(fromHex(vector.signature).subarray(1)) },
    ];
    for (const each of changed) expect(await isSignedDeletion(chainId, each, verifyZip215)).toBe(false);
    expect(await isSignedDeletion("another-chain", deletion, verifyZip215)).toBe(false);
  });

  it("and keys that anyone could sign for sign nothing", () => {
    const one = `01${"00".repeat(31)}`;
    const minusOne = `ec${"ff".repeat(30)}7f`;
    for (const key of ["00".repeat(32), one, minusOne, "ff".repeat(32), "ab"]) expect(edwardsKeyOf(key)).toBe(undefined);
  });
});
