// Signatures checked on another thread: the same results in the same order, an orderly end, and a failure that is reported.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type BatchRecord, checkBatch, encodeBatch, resultAt, type SignatureRecord } from "#node/crypto/signature-batch.ts";
import { createThreadedVerifier, type ThreadedVerifier } from "#node/crypto/threaded-verifier.ts";
import { createKeyCheck, createNativeVerifier } from "#node/crypto/verify-signature.ts";
import {
  ed25519PublicKey,
  isAcceptablePublicKey,
  signEd25519,
  type VerifySignature,
  verifyZip215,
} from "#shared/protocol/primitives/signature.ts";
import { fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { workerOf } from "#test/support/host/worker-source.ts";

const speccheck = (
  JSON.parse(readFileSync(new URL("../../../vectors/ed25519-speccheck.json", import.meta.url), "utf8")) as readonly {
    readonly message: string;
    readonly pub_key: string;
    readonly signature: string;
  }[]
).map((test) => ({ signature: fromHex(test.signature), message: fromHex(test.message), publicKey: fromHex(test.pub_key) }));

const seed = new Uint8Array(32).fill(7);
const publicKey = ed25519PublicKey(seed);
const signed = (text: string): SignatureRecord => ({ signature: signEd25519(utf8(text), seed), message: utf8(text), publicKey });
const forged = (text: string): SignatureRecord => ({ ...signed(text), message: utf8(`${text}!`) });
/** Published edge cases, good and bad signatures, and what no verifier can take. */
const records: readonly SignatureRecord[] = [
  ...speccheck,
  ...Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? forged(`${i}`) : signed("a".repeat(i * 40)))),
  { ...signed("short signature"), signature: new Uint8Array(63) },
  { ...signed("long key"), publicKey: new Uint8Array(33) },
  { signature: new Uint8Array(0), message: new Uint8Array(0), publicKey: new Uint8Array(0) },
  signed("last"),
];
const expected = records.map(({ signature, message, publicKey: key }) => verifyZip215(signature, message, key));

const failOnFatal = (error: unknown): never => {
  throw error;
};
/** A verifier that counts what it checks on this thread. */
function verifierOf(onFatal: (error: unknown) => void = failOnFatal, workerFile?: URL): { verifier: ThreadedVerifier; here: () => number } {
  const native = createNativeVerifier();
  let count = 0;
  const verifyHere: VerifySignature = (...record) => {
    count += 1;
    return native(...record);
  };
  const verifier = createThreadedVerifier({
    verifyHere,
    onFatal,
    ...(workerFile === undefined ? {} : { workerFile }),
  });
  return { verifier, here: () => count };
}
const ask = (verifier: ThreadedVerifier, record: SignatureRecord): Promise<boolean> =>
  verifier.verify(record.signature, record.message, record.publicKey);

describe("batch of signatures", () => {
  it("carries records and results", () => {
    const fitting = records.filter(({ signature, publicKey: key }) => signature.length === 64 && key.length === 32);
    const checks: readonly BatchRecord[] = [{ publicKey }, ...fitting, { publicKey }, { publicKey: new Uint8Array(32).fill(0xff) }];
    const seen: SignatureRecord[] = [];
    const batch = encodeBatch(checks);
    const verify: VerifySignature = (signature, message, key) => {
      seen.push({ signature: signature.slice(), message: message.slice(), publicKey: key.slice() });
      return seen.length % 2 === 0;
    };
    checkBatch(batch, { verify, isAcceptableKey: createKeyCheck() });
    expect(seen).toEqual(fitting);
    const results = fitting.map((_, index) => index % 2 === 1);
    expect(checks.map((_, index) => resultAt(batch, index))).toEqual([true, ...results, true, false]);
  });
});

describe("threaded verifier", () => {
  it("answers as the rule does, in order, from the worker", async () => {
    const { verifier, here } = verifierOf();
    const order: number[] = [];
    const answers = await Promise.all(
      records.map(async (record, index) => {
        const isValid = await ask(verifier, record);
        order.push(index);
        return isValid;
      }),
    );
    expect(answers).toEqual(expected);
    expect(order).toEqual(records.map((_, index) => index));
    expect(here()).toBe(0);
    await verifier.stop();
  });

  it("answers for keys as the rule does, on both threads, between signatures", async () => {
    const keys = [
      publicKey,
      fromHex(`01${"00".repeat(31)}`),
      new Uint8Array(32).fill(0xff),
      new Uint8Array(31),
      ed25519PublicKey(publicKey),
    ];
    const accepted = keys.map((key) => isAcceptablePublicKey(toHex(key)));
    expect(accepted).toEqual([true, false, false, false, true]);
    const { verifier, here } = verifierOf();
    const few = keys.slice(0, 2).map((key) => verifier.isAcceptableKey(key));
    expect(await Promise.all(few)).toEqual(accepted.slice(0, 2));
    const mixed = keys.flatMap((key) => [verifier.isAcceptableKey(key), ask(verifier, signed("a")), ask(verifier, forged("b"))]);
    expect(await Promise.all(mixed)).toEqual(accepted.flatMap((isAccepted) => [isAccepted, true, false]));
    expect(here()).toBe(0);
    await verifier.stop();
  });

  it("checks few signatures on the calling thread", async () => {
    const { verifier, here } = verifierOf();
    expect(await Promise.all([ask(verifier, signed("one")), ask(verifier, forged("two"))])).toEqual([true, false]);
    expect(here()).toBe(2);
    await verifier.stop();
  });

  it("gives a worker without work the first ones at once, and gathers the others", async () => {
    const onlyInEights = `parentPort.on("message", (batch) => {
      const words = new DataView(batch);
      const count = words.getUint32(0, true);
      for (let index = 1; index <= count; index += 1) words.setUint32(4 * index, count === 8 ? 1 : 0, true);
      parentPort.postMessage(batch, [batch]);
    });`;
    const { verifier } = verifierOf(failOnFatal, workerOf(onlyInEights));
    const answers = await Promise.all(Array.from({ length: 13 }, () => ask(verifier, signed("a"))));
    expect(answers).toEqual(Array.from({ length: 13 }, (_, index) => index < 8));
    await verifier.stop();
  });

  it("answers few signatures behind a batch after it", async () => {
    const { verifier } = verifierOf();
    const order: string[] = [];
    const batch = records.map((record) => ask(verifier, record).then(() => order.push("batch")));
    await new Promise(setImmediate);
    const late = ask(verifier, signed("late")).then((isValid) => order.push(`late ${isValid}`));
    await Promise.all([...batch, late]);
    expect(order.at(-1)).toBe("late true");
    await verifier.stop();
  });

  it("answers what was asked before it stops, and checks on the calling thread afterwards", async () => {
    const { verifier, here } = verifierOf();
    const answers = Promise.all(records.map((record) => ask(verifier, record)));
    await Promise.all([verifier.stop(), verifier.stop()]);
    expect(await answers).toEqual(expected);
    const before = here();
    expect(await Promise.all(Array.from({ length: 20 }, () => ask(verifier, signed("after"))))).not.toContain(false);
    expect(here() - before).toBe(20);
    await verifier.stop();
  });

  it.each([
    ["throws", "parentPort.on('message', () => { throw new Error('boom'); });"],
    ["ends", "parentPort.on('message', () => process.exit(3));"],
    ["cannot start", "import 'node:is-not-there';"],
  ])("refuses everything once and tells it when the worker %s", async (_name, source) => {
    const fatal = Promise.withResolvers<unknown>();
    let sent = 0;
    const { verifier, here } = verifierOf((error) => {
      sent += 1;
      fatal.resolve(error);
    }, workerOf(source));
    const outcomes = await Promise.allSettled(records.map((record) => ask(verifier, record)));
    const failure = await fatal.promise;
    expect(failure).toMatchObject({ code: "INVARIANT", message: "The thread that checks signatures ended on its own" });
    expect(outcomes).toEqual(records.map(() => ({ status: "rejected", reason: failure })));
    await expect(ask(verifier, signed("later"))).rejects.toBe(failure);
    await verifier.stop();
    expect([sent, here()]).toEqual([1, 0]);
  });
});
