// Room in mailboxes when others are hostile: what was read counts nowhere, a flood displaces its own, no network of clients fills a node.
import { describe, expect, it, onTestFinished } from "vitest";
import type { MailClient } from "#node/relay/intake/mail-service.ts";
import { MAILBOX_LIMITS, type MailboxLimits } from "#node/relay/mailbox-limits.ts";
import type { Postage } from "#node/relay/mailbox-room.ts";
import { createRelay, type Relay } from "#node/relay/relay.ts";
import { type MailboxRepository, openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { envelopeBytes } from "#shared/protocol/mail/envelope.ts";
import { envelopeId } from "#shared/protocol/mail/envelope-id.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const START_SEC = 1_800_000_000;
const DAY_S = 86_400;
const BOB = "b0".repeat(32);
const CAROL = "ca".repeat(32);

interface MailWorld {
  readonly relay: Relay;
  readonly store: MailboxRepository;
  nowSec: number;
}

async function mailWorld(limits: Partial<MailboxLimits> = {}, postage?: Postage): Promise<MailWorld> {
  const folder = await createTemporaryFolder();
  const store = openMailbox(folder.path);
  const world = { nowSec: START_SEC };
  const relay = createRelay({
    chainId: CHAIN_ID,
    secretKey: new Uint8Array(32).fill(3),
    store,
    clock: { nowMs: () => world.nowSec * 1_000, monotonicMs: () => world.nowSec * 1_000 },
    random: (length) => new Uint8Array(length).fill(4),
    verify: () => true,
    limits: { ...MAILBOX_LIMITS, ...limits },
    postage,
  });
  onTestFinished(async () => {
    relay.close();
    store.close();
    await folder.remove();
  });
  return Object.assign(world, { relay, store });
}

let count = 0;

function envelope(bytes = 20, over: Partial<Envelope> = {}): Envelope {
  count += 1;
  const nonce = new Uint8Array(24);
  new DataView(nonce.buffer).setUint32(0, count);
  const ciphertext = new Uint8Array(bytes);
  const id = envelopeId(nonce, ciphertext);
  const parties = { recipient_pub: BOB, sender_pub: "cc".repeat(32), sender_ed25519_pub: "" };
  return {
    id,
    ...parties,
    fee_ut: 0,
    fee_sig: null,
    nonce: toBase64(nonce),
    ciphertext: toBase64(ciphertext),
    sent_at: START_SEC,
    ...over,
  };
}

/** Envelopes of one commit. */
const TOGETHER = 20;
const SIZE = envelopeBytes(envelope());

const client = (network: string, address = network, isLimited = true): MailClient => ({ party: network, tag: address, isLimited });
const FRIEND = client("friend");
const FLOOD = client("flood");

function inboxOf({ relay }: MailWorld, recipientPub = BOB): readonly string[] {
  return relay.list({ recipientPub, limit: 10_000 }).items.map((item) => item.envelope.id);
}

async function sendMany({ relay }: MailWorld, many: readonly Envelope[], from?: MailClient): Promise<readonly string[]> {
  const results = await Promise.allSettled(many.map((item) => relay.broadcast(item, from)));
  return results.map((result) => (result.status === "fulfilled" ? "stored" : (result.reason as { code: string }).code));
}

const envelopes = (length: number, bytes?: number, over?: Partial<Envelope>): Envelope[] =>
  Array.from({ length }, () => envelope(bytes, over));

describe("a recipient who reads and deletes everything at another node", () => {
  it.each([
    ["small envelopes, 80 a day for a month", 2_100, 600, 1_080],
    ["six files of 8 MiB", 320, 192_528, 60],
  ])("stays in reach from the sender's own node: %s", async (_name, most, bytes, stepSec) => {
    const [own, other] = [await mailWorld(), await mailWorld()];
    for (let sent = 0; sent < most; sent += TOGETHER) {
      own.nowSec += stepSec * TOGETHER;
      other.nowSec += stepSec * TOGETHER;
      const some = envelopes(TOGETHER, bytes);
      expect(new Set(await sendMany(own, some))).toEqual(new Set(["stored"]));
      await other.relay.receive(some);
      other.relay.inTransaction(() => some.map(({ id }) => other.relay.delete(BOB, id)));
    }
    expect([inboxOf(other).length, own.relay.refused]).toEqual([0, { MAILBOX_FULL: 0, RELAY_FULL: 0 }]);
  });
});

describe("a flood to one key", () => {
  it("of 2,000 tiny envelopes neither refuses nor displaces a friend's messages", async () => {
    const world = await mailWorld();
    const before = envelope();
    await world.relay.broadcast(before, FRIEND);
    expect(new Set(await sendMany(world, envelopes(2_000), FLOOD))).toEqual(new Set(["stored"]));
    const after = envelope();
    await world.relay.broadcast(after, FRIEND);
    await sendMany(world, envelopes(500), FLOOD);
    const inbox = inboxOf(world);
    expect([inbox.length, inbox.includes(before.id), inbox.includes(after.id)]).toEqual([2_000, true, true]);
  });

  it("displaces its own, by number and by bytes, also from the network of a friend", async () => {
    const world = await mailWorld({ recipientEnvelopes: 10, recipientBytes: 20 * SIZE });
    const [friend, flood] = [client("network", "friend"), client("network", "flood")];
    const own = envelopes(4);
    await sendMany(world, own, friend);
    await sendMany(world, envelopes(9), flood);
    expect(inboxOf(world).slice(0, 4)).toEqual(own.map(({ id }) => id));
    const large = envelopes(3, 12 * SIZE - 1_000);
    await sendMany(world, large, flood);
    const inbox = inboxOf(world);
    expect(inbox.slice(0, 4)).toEqual(own.map(({ id }) => id));
    expect(inbox.at(-1)).toBe(large.at(-1)?.id);
    expect(world.store.usage(BOB).bytes).toBeLessThanOrEqual(20 * SIZE);
  });

  it("counts what waits, not what was read", async () => {
    const world = await mailWorld({ recipientEnvelopes: 10 });
    const friends = envelopes(10);
    for (const item of friends) {
      await world.relay.broadcast(item, FRIEND);
      world.relay.hide(BOB, item.id);
    }
    const waiting = envelopes(10);
    await sendMany(world, waiting, FRIEND);
    expect(inboxOf(world)).toEqual([...friends, ...waiting].map(({ id }) => id));
    await sendMany(world, envelopes(1), FRIEND);
    expect(inboxOf(world)).not.toContain(waiting[0]?.id);
    expect(inboxOf(world)).toContain(friends[0]?.id);
  });

  it("by other nodes displaces what came by the same one", async () => {
    const world = await mailWorld({ recipientEnvelopes: 10 });
    const own = envelopes(5);
    await world.relay.receive(own, { party: "node a", tag: "" });
    for (const item of envelopes(30)) await world.relay.receive([item], { party: "node b", tag: "" });
    expect(inboxOf(world).slice(0, 5)).toEqual(own.map(({ id }) => id));
  });
});

describe("the room of a node", () => {
  it("is not filled by one network, which hands in so much a day", async () => {
    const world = await mailWorld({ sourceDayBytes: 10 * SIZE });
    const codes = await sendMany(world, envelopes(11, 20, { recipient_pub: CAROL }), FLOOD);
    expect(codes).toEqual([...new Array<string>(10).fill("stored"), "RATE_LIMITED"]);
    await expect(world.relay.broadcast(envelope(), FLOOD)).rejects.toMatchObject({
      status: 429,
      details: { retryAfterS: DAY_S - (START_SEC % DAY_S) },
    });
    expect(await sendMany(world, [envelope()], client("flood", "another address"))).toEqual(["RATE_LIMITED"]);
    expect(await sendMany(world, [envelope()], FRIEND)).toEqual(["stored"]);
    expect(await sendMany(world, envelopes(20), client("own", "", false))).toEqual(new Array<string>(20).fill("stored"));
    world.nowSec += DAY_S;
    expect(await sendMany(world, [envelope()], FLOOD)).toEqual(["stored"]);
  });

  it("is not used up by files: what people write passes on the same day, and files again on the next", async () => {
    const large = 10 * SIZE;
    const world = await mailWorld({
      ...{ largeEnvelopeBytes: envelopeBytes(envelope(large)) - 1, sourceDayBytes: 10 * envelopeBytes(envelope(large)) },
      sourceDayLargeBytes: 3 * envelopeBytes(envelope(large)),
    });
    const codes = await sendMany(world, envelopes(5, large, { recipient_pub: CAROL }), FLOOD);
    expect(codes).toEqual(["stored", "stored", "stored", "RATE_LIMITED", "RATE_LIMITED"]);
    expect(new Set(await sendMany(world, envelopes(20, 20, { recipient_pub: CAROL }), FLOOD))).toEqual(new Set(["stored"]));
    expect(await sendMany(world, envelopes(4, large), client("own", "", false))).toEqual(new Array<string>(4).fill("stored"));
    world.nowSec += DAY_S;
    expect(await sendMany(world, [envelope(large)], FLOOD)).toEqual(["stored"]);
  });

  it("goes to those who have little of it, and who has most is refused", async () => {
    const world = await mailWorld({ totalBytes: 100 * SIZE });
    expect(new Set(await sendMany(world, envelopes(100, 20, { recipient_pub: CAROL }), FLOOD))).toEqual(new Set(["stored"]));
    expect(await sendMany(world, [envelope()], FLOOD)).toEqual(["RELAY_FULL"]);
    const friends = envelopes(40);
    expect(new Set(await sendMany(world, friends, FRIEND))).toEqual(new Set(["stored"]));
    expect(await sendMany(world, [envelope()], FLOOD)).toEqual(["RELAY_FULL"]);
    expect(inboxOf(world)).toEqual(friends.map(({ id }) => id));
    expect(inboxOf(world, CAROL)).toHaveLength(60);
    // Halves are fair: from there on the other one is refused too.
    await sendMany(world, envelopes(20), FRIEND);
    expect([world.store.waiting.sources.bytesOf("flood"), inboxOf(world).length]).toEqual([50 * SIZE, 50]);
  });

  it("is not taken from who would then have less than the one that comes", async () => {
    const large = envelope(10 * SIZE);
    const total = 100 * SIZE;
    const world = await mailWorld({ totalBytes: total });
    await sendMany(world, envelopes(52), FLOOD);
    await sendMany(world, envelopes(48), FRIEND);
    expect(await sendMany(world, [large], FRIEND)).toEqual(["RELAY_FULL"]);
    expect(world.store.waiting.sources.bytesOf("flood")).toBe(52 * SIZE);
  });

  it("is taken from what was read before anything that waits", async () => {
    const world = await mailWorld({ totalBytes: 10 * SIZE });
    const many = envelopes(10);
    await sendMany(world, many, FLOOD);
    for (const { id } of many.slice(3, 6)) world.relay.hide(BOB, id);
    expect(await sendMany(world, envelopes(4), FLOOD)).toEqual(["stored", "stored", "stored", "RELAY_FULL"]);
    const left = many.filter((_, n) => n < 3 || n >= 6).map(({ id }) => id);
    expect(inboxOf(world).slice(0, 7)).toEqual(left);
  });

  it("that has less of it than before is made in short turns", async () => {
    const world = await mailWorld();
    world.store.inTransaction(() => {
      for (let n = 0; n < 1_500; n += 1) world.store.put(envelope(20, { recipient_pub: CAROL }), START_SEC, { source: FLOOD });
    });
    const small = createRelay({
      chainId: CHAIN_ID,
      secretKey: new Uint8Array(32).fill(3),
      store: world.store,
      clock: { nowMs: () => START_SEC * 1_000, monotonicMs: () => 0 },
      random: (length) => new Uint8Array(length),
      verify: () => true,
      limits: { ...MAILBOX_LIMITS, totalBytes: 100 * SIZE },
    });
    await expect(small.broadcast(envelope(), FRIEND)).rejects.toMatchObject({ code: "RELAY_FULL" });
    expect(world.store.totalCount()).toBe(476);
    await small.broadcast(envelope(), FRIEND);
    expect(world.store.totalBytes()).toBeLessThanOrEqual(100 * SIZE);
    small.close();
  });

  it("has the same figures after a restart and after what fails", async () => {
    const world = await mailWorld();
    await sendMany(world, envelopes(3), FRIEND);
    await sendMany(world, envelopes(2), FLOOD);
    const fail = (): void => {
      world.store.put(envelope(), START_SEC, { source: FLOOD });
      throw new Error("disk");
    };
    expect(() => world.store.inTransaction(fail)).toThrow("disk");
    const [first] = inboxOf(world);
    world.relay.delete(BOB, first ?? "");
    const { sources } = world.store.waiting;
    expect([sources.bytesOf("friend"), sources.bytesOf("flood"), sources.largestParty()]).toEqual([2 * SIZE, 2 * SIZE, "friend"]);
    sources.forget();
    expect([sources.bytesOf("friend"), sources.bytesOf("flood")]).toEqual([2 * SIZE, 2 * SIZE]);
    world.store.prune(START_SEC + 1);
    expect([sources.bytesOf("friend"), sources.bytesOf("flood"), sources.largestParty()]).toEqual([0, 0, undefined]);
  });
});

describe("postage", () => {
  const accounts: Readonly<Record<string, number>> = { ["aa".repeat(32)]: 10_000, ["ab".repeat(32)]: 3_000 };
  const postage: Postage = { leastFeeUt: 1_000, canPay: (sender, amountUt) => (accounts[sender] ?? 0) >= amountUt };
  const limits = { recipientEnvelopes: 2, postageEnvelopes: 2 };
  const paid = (feeUt: number, sender = "aa".repeat(32)): Envelope =>
    envelope(20, { fee_ut: feeUt, fee_sig: toBase64(new Uint8Array(64)), sender_ed25519_pub: sender });

  it("has a room of its own, in which the lowest fee a byte goes", async () => {
    const world = await mailWorld(limits, postage);
    const [low, high, middle] = [paid(1_000), paid(3_000), paid(2_000)];
    await sendMany(world, [low, high], FRIEND);
    await sendMany(world, envelopes(50), FLOOD);
    expect(inboxOf(world).slice(0, 2)).toEqual([low.id, high.id]);
    await sendMany(world, [middle], FRIEND);
    expect(inboxOf(world)).toEqual([high.id, ...inboxOf(world).slice(1, 3), middle.id]);
    // Less than all others: it takes its chance among the free ones.
    const cheap = paid(1_500);
    await sendMany(world, [cheap], FRIEND);
    expect(inboxOf(world)).toEqual([high.id, expect.any(String), middle.id, cheap.id]);
  });

  it.each([
    ["less than the relay asks for", [paid(999)]],
    ["what its sender does not have", [paid(10_001)]],
    ["what its sender has promised already", [paid(2_000, "ab".repeat(32)), paid(2_000, "ab".repeat(32))]],
  ])("is not %s", async (_name, promised) => {
    const world = await mailWorld(limits, postage);
    await sendMany(world, promised, FLOOD);
    const free = [...world.store.waitingOf(BOB).values()].filter(({ room }) => room === 0);
    expect(free).toHaveLength(1);
  });
});
