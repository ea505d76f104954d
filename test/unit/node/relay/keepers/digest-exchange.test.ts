// Signed digests among keepers: an honest one signs once in ten minutes, whatever happens to it, and one that tells two of them different things
// is found out by these.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { mailRequestCodec, mailResponseCodec } from "#node/network/wire/mail-codec.ts";
import { DigestExchange } from "#node/relay/keepers/repair/digest-exchange.ts";
import { DigestMarkFile } from "#node/relay/keepers/repair/digest-mark-file.ts";
import { type DigestMark, OwnDigests, SILENT_MS } from "#node/relay/keepers/repair/own-digests.ts";
import type { SlotKeepers } from "#node/relay/keepers/repair/repair-plan.ts";
import { decode, encode } from "#shared/codec/codec.ts";
import { digestVersion, isSignedDigest, signDigest } from "#shared/protocol/keepers/kept-digest.ts";
import type { MailDigest, MailRequest, MailResponse, SeenDigest } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { DIGEST_VERSION_S } from "#shared/protocol/primitives/limits.ts";
import type { DigestContradiction } from "#shared/protocol/transactions/payload.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { actor, CHAIN_ID, START_MS } from "#test/support/worlds/ledger-world.ts";

const VERSION_MS = DIGEST_VERSION_S * 1_000;
const SLOTS = [3, 7, 11];
const verify = createNativeVerifier();
const keyOf = (n: number): { readonly publicKey: PublicKeyHex; readonly secret: Uint8Array } => ({
  publicKey: actor(n).pub,
  secret: actor(n).seed,
});
const digestOf = (count: number): MailDigest => ({ count, fingerprint: count.toString(16).padStart(64, "0") });

let time: VirtualTime;
let clock: ReturnType<VirtualTime["clock"]>;
beforeEach(() => {
  time = new VirtualTime();
  clock = time.clock(START_MS);
});
const versionNow = (): number => digestVersion(clock.nowMs() / 1_000);

describe("what a keeper signs", () => {
  let folder: TemporaryFolder;
  let count = 0;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    count = 1;
  });
  afterEach(() => folder.remove());

  const start = (mark: DigestMark = new DigestMarkFile(join(folder.path, "mark.json"))): OwnDigests =>
    new OwnDigests({ chainId: CHAIN_ID, key: keyOf(1), mark, digest: (): MailDigest => digestOf(count), clock });

  it("is one digest of a slot and version, whatever comes meanwhile", async () => {
    const own = start();
    time.advance(SILENT_MS);
    const first = own.sign(3, versionNow());
    expect(first).toMatchObject({ slot: 3, version: versionNow(), ...digestOf(1) });
    expect(first && (await isSignedDigest(CHAIN_ID, first, verify))).toBe(true);
    count = 2;
    expect(own.sign(3, versionNow())).toEqual(first);
    expect(own.sign(7, versionNow())).toMatchObject({ slot: 7, count: 2 });
    time.advance(VERSION_MS);
    expect(own.sign(3, versionNow())).toMatchObject({ count: 2 });
  });

  it("is nothing of another version than the present, and in the hour after the start", () => {
    const own = start();
    expect(own.sign(3, versionNow())).toBeUndefined();
    time.advance(SILENT_MS - 1);
    expect(own.sign(3, versionNow())).toBeUndefined();
    time.advance(1);
    expect([own.sign(3, versionNow() - 1), own.sign(3, versionNow() + 1)]).toEqual([undefined, undefined]);
    expect(own.sign(3, versionNow())).toBeDefined();
  });

  it("is nothing that it may have signed before a restart, also where the clock goes back, or that it cannot write down", () => {
    const own = start();
    time.advance(SILENT_MS);
    const signed = versionNow();
    expect(own.sign(3, signed)).toBeDefined();
    count = 2;
    const again = start();
    expect(again.sign(3, signed)).toBeUndefined();
    const earlier = new VirtualTime();
    clock = earlier.clock(START_MS);
    const back = start();
    earlier.advance(SILENT_MS);
    expect(versionNow()).toBe(signed);
    expect(back.sign(3, signed)).toBeUndefined();
    earlier.advance(VERSION_MS);
    expect(back.sign(3, versionNow())).toMatchObject({ count: 2 });
    const full: DigestMark = {
      get latest(): number {
        return 0;
      },
      set latest(_version: number) {
        throw new Error("The disk is full");
      },
    };
    const unwritten = start(full);
    earlier.advance(SILENT_MS);
    expect(() => unwritten.sign(3, versionNow())).toThrow("full");
    expect(() => unwritten.sign(3, versionNow())).toThrow("full");
  });

  it("is nothing at all with a mark that cannot be read", () => {
    mkdirSync(join(folder.path, "mark.json"));
    const own = start();
    time.advance(SILENT_MS + VERSION_MS);
    expect(own.sign(3, versionNow())).toBeUndefined();
  });

  it("waits as after any start where the mark is damaged", () => {
    writeFileSync(join(folder.path, "mark.json"), "{");
    const own = start();
    expect(own.sign(3, versionNow())).toBeUndefined();
    time.advance(SILENT_MS);
    expect(own.sign(3, versionNow())).toBeDefined();
  });

  it("is nothing for an hour after its clock leapt, as that of a machine that is put back while it runs", () => {
    const machine = { aheadMs: 0 };
    const ticking = clock;
    clock = { nowMs: (): number => ticking.nowMs() + machine.aheadMs, monotonicMs: (): number => ticking.monotonicMs() };
    const own = start();
    machine.aheadMs = -5_000;
    time.advance(SILENT_MS);
    expect(own.sign(3, versionNow())).toBeDefined();
    machine.aheadMs -= 9_000;
    expect(own.sign(3, versionNow())).toBeDefined();
    // Back to an earlier moment, in which it had not signed what it signed since.
    machine.aheadMs += 2 * VERSION_MS;
    expect(own.sign(3, versionNow())).toBeUndefined();
    time.advance(VERSION_MS);
    expect(own.sign(3, versionNow())).toBeUndefined();
    time.advance(SILENT_MS - VERSION_MS);
    expect(own.sign(3, versionNow())).toBeDefined();
  });
});

interface Keeper {
  readonly exchange: DigestExchange;
  readonly found: DigestContradiction[];
  readonly liars: PublicKeyHex[];
  /** Has another keeper sign, over bytes as on the wire. */
  compare(other: number): Promise<void>;
}

/** Keepers of {@link SLOTS}, by their numbers; one of them may sign something else for each that asks. */
function keepers(
  numbers: readonly number[],
  { digest = digestOf, liar = 0 }: { readonly digest?: (slot: number) => MailDigest; readonly liar?: number } = {},
): ReadonlyMap<number, Keeper> {
  const keys = numbers.map((n) => keyOf(n).publicKey);
  const ranks = {
    find: (key: PublicKeyHex): unknown => (keys.includes(key) ? key : undefined),
    isKeeperOfSlot: (key: PublicKeyHex, slot: number): boolean => {
      lookups += 1;
      return keys.includes(key) && SLOTS.includes(slot);
    },
    keepersOfSlot: (slot: number): Pick<SlotKeepers, "all"> | undefined => (SLOTS.includes(slot) ? { all: keys } : undefined),
    epoch: 4,
  };
  const made = numbers.map((n): readonly [number, Keeper] => {
    const found: DigestContradiction[] = [];
    const liars: PublicKeyHex[] = [];
    const exchange = new DigestExchange({
      ...{ chainId: CHAIN_ID, key: keyOf(n), ranks, verify, clock, timers: time },
      slotMail: (): { digest: (slot: number) => MailDigest } => ({ digest }),
      mark: { latest: 0 },
      random: (length): Uint8Array => new Uint8Array(length).fill(n),
      onContradiction: (evidence): void => void found.push(evidence),
      onLie: (keeper): void => void liars.push(keeper),
    });
    responders.set(n, async (from, request) => {
      if (n === liar) return lieTo(from, n, request);
      const response = exchange.respond(request, peerNameOf(keyOf(from).publicKey));
      for (let turn = 0; turn < 64; turn += 1) {
        await Promise.resolve();
        time.advance(1);
      }
      return await response;
    });
    const compare = (other: number): Promise<void> =>
      exchange.compare(keyOf(other).publicKey, SLOTS, (request) => answerOf(other, n, request));
    return [n, { exchange, found, liars, compare }];
  });
  return new Map(made);
}

function lieTo(from: number, liar: number, { slots, version }: SignedRequest): MailResponse {
  const digests = slots.map((slot) => {
    const { count, fingerprint, signature } = signDigest(CHAIN_ID, { slot, version, ...digestOf(100 * from) }, keyOf(liar));
    return { count, fingerprint, signature };
  });
  return { type: "signed", digests };
}

/** Ranks that were looked up. */
let lookups = 0;

type SignedRequest = Extract<MailRequest, { readonly type: "signed" }>;
const responders = new Map<number, (from: number, request: SignedRequest) => Promise<MailResponse | undefined>>();

async function answerOf(to: number, from: number, request: MailRequest): Promise<MailResponse> {
  const sent = decode(mailRequestCodec, encode(mailRequestCodec, request));
  if (sent.type !== "signed") throw new Error("Another request");
  const response = await responders.get(to)?.(from, sent);
  if (response === undefined) throw new Error("Refused");
  return decode(mailResponseCodec, encode(mailResponseCodec, response));
}

describe("keepers that compare digests", () => {
  it("find nothing among honest ones, whatever comes and goes in their slots", async () => {
    let count = 0;
    const digest = (): MailDigest => {
      count += 1;
      return digestOf(count);
    };
    const all = keepers([1, 2, 3], { digest });
    time.advance(SILENT_MS);
    for (let round = 0; round < 3; round += 1) {
      time.advance(VERSION_MS);
      for (const [n, keeper] of all) for (const other of all.keys()) if (other !== n) await keeper.compare(other);
    }
    expect([...all.values()].flatMap(({ found, liars }) => [...found, ...liars])).toEqual([]);
    expect(count).toBeGreaterThan(20);
  });

  it("find one that signs something else for each of them, with what proves it to anyone", async () => {
    const all = keepers([1, 2, 3], { liar: 3 });
    time.advance(SILENT_MS);
    await all.get(1)?.compare(3);
    await all.get(2)?.compare(3);
    expect([...all.values()].flatMap(({ found }) => found)).toEqual([]);
    await all.get(1)?.compare(2);
    const [evidence, ...others] = all.get(2)?.found ?? [];
    expect(evidence).toMatchObject({ relay_pub: keyOf(3).publicKey, version: versionNow() });
    expect(others.length).toBeGreaterThan(0);
    for (const content of evidence === undefined ? [] : [evidence.first, evidence.second])
      expect(
        await isSignedDigest(
          CHAIN_ID,
          { keeper: keyOf(3).publicKey, slot: evidence?.slot ?? 0, version: versionNow(), ...content },
          verify,
        ),
      ).toBe(true);
    expect([1, 2, 3].flatMap((n) => all.get(n)?.liars ?? [])).toEqual([]);
  });

  it("ask each keeper once a version, and for a part of many slots", async () => {
    const asked: SignedRequest[] = [];
    const all = keepers([1, 2]);
    const ask = async (request: MailRequest): Promise<MailResponse> => {
      if (request.type === "signed") asked.push(request);
      return await Promise.resolve({ type: "busy" });
    };
    const many = Array.from({ length: 2_000 }, (_, slot) => slot);
    for (const slots of [[], many, SLOTS]) await all.get(1)?.exchange.compare(keyOf(2).publicKey, slots, ask);
    expect(asked.map(({ slots }) => new Set(slots).size)).toEqual([NETWORK_LIMITS.mailItems.signedSlots]);
    time.advance(VERSION_MS);
    await all.get(1)?.exchange.compare(keyOf(2).publicKey, SLOTS, ask);
    // In another order: what is shown of others is of the first ones.
    expect(asked[1]?.slots).toEqual([7, 11, 3]);
  });

  it("hold a digest that its keeper has not signed against who sent it", async () => {
    const all = keepers([1, 2, 3]);
    time.advance(SILENT_MS);
    const forged = {
      ...digestOf(9),
      signature: signDigest(CHAIN_ID, { slot: 3, version: versionNow(), ...digestOf(9) }, keyOf(1)).signature,
    };
    await all.get(1)?.exchange.compare(keyOf(2).publicKey, [3], async () => await Promise.resolve({ type: "signed", digests: [forged] }));
    expect(all.get(1)?.liars).toEqual([keyOf(2).publicKey]);
    const seen = (digest: Partial<SeenDigest>): SignedRequest => ({
      type: "signed",
      version: versionNow(),
      slots: [3],
      seen: [{ keeper: keyOf(3).publicKey, slot: 3, version: versionNow(), ...forged, ...digest }],
    });
    expect(await responders.get(1)?.(2, seen({}))).toBeUndefined();
    // What was seen with a true signature is not checked again.
    await all.get(1)?.exchange.compare(keyOf(3).publicKey, SLOTS, (request) => answerOf(3, 1, request));
    expect((await responders.get(1)?.(2, seen(digestOf(3))))?.type).toBe("signed");
    expect(await responders.get(1)?.(2, seen(digestOf(4)))).toBeUndefined();
    // What is of no interest here is not looked at.
    for (const other of [{ slot: 7 }, { version: versionNow() - 1 }, { keeper: keyOf(1).publicKey }, { keeper: keyOf(8).publicKey }])
      expect((await responders.get(1)?.(2, seen(other)))?.type).toBe("signed");
  });

  it("look up ranks in pieces, and nothing more once they are closed", async () => {
    const { exchange } = keepers([1, 2]).get(1) ?? {};
    time.advance(VERSION_MS);
    lookups = 0;
    const slots = Array.from({ length: 512 }, (_, slot) => slot);
    const response = exchange?.respond({ type: "signed", version: versionNow(), slots, seen: [] }, peerNameOf(keyOf(2).publicKey));
    expect(lookups).toBeLessThanOrEqual(16);
    exchange?.close();
    for (let turn = 0; turn < 8; turn += 1) {
      await Promise.resolve();
      time.advance(1_000);
    }
    expect(await response).toEqual({ type: "busy" });
    expect(lookups).toBeLessThanOrEqual(16);
  });

  it("sign for keepers of the slot alone, and in the present version", async () => {
    keepers([1, 2]);
    const request: SignedRequest = { type: "signed", version: versionNow(), slots: [3, 4], seen: [] };
    expect(await responders.get(1)?.(8, request)).toEqual({ type: "wrongKeeper", epoch: 4 });
    expect(await responders.get(1)?.(2, { ...request, slots: [4] })).toEqual({ type: "wrongKeeper", epoch: 4 });
    expect(await responders.get(1)?.(2, request)).toEqual({ type: "signed", digests: [null, null] });
    time.advance(SILENT_MS);
    expect(await responders.get(1)?.(2, request)).toEqual({ type: "signed", digests: [null, null] });
    expect(await responders.get(1)?.(2, { ...request, version: versionNow() })).toMatchObject({ digests: [{ count: 3 }, null] });
  });
});
