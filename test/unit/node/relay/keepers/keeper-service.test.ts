// What a keeper signs for: what it was handed, and not another copy that has the same id.
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";
import { SlotMail } from "#node/relay/keepers/repair/slot-mail.ts";
import { type CarriedWay, KeeperService } from "#node/relay/keepers/serving/keeper-service.ts";
import { MAILBOX_LIMITS, type MailboxLimits } from "#node/relay/mailbox-limits.ts";
import { type MailSource, UNKNOWN_SOURCE } from "#node/storage/mailbox/mail-sources.ts";
import { CHUNK_BYTES, MAX_FILE_BYTES } from "#shared/content/content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import { type Envelope, envelopeBytes } from "#shared/protocol/mail/envelope.ts";
import type { MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { receiptMark } from "#shared/protocol/mail/mail-receipt.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { keeperOf } from "#test/support/nodes/mail-keepers.ts";
import { boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { actor, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";
import { MAIL_HEIGHT, MAIL_START_SEC, type MailNode, mailNode, unsealedEnvelope } from "#test/support/worlds/mail-world.ts";

const BOX = "ab".repeat(32);
const CARRIED: CarriedWay = { mostBytes: 1_000_000 };

it("gives a receipt for what it has, and none where someone was faster with an altered copy", async () => {
  const { relay, store } = await mailNode();
  const time = new VirtualTime();
  const { pub: publicKey, seed: secret } = actor(1);
  const service = new KeeperService({
    ...{ chainId: CHAIN_ID, key: { publicKey, secret }, relay, store, retentionMs: 1_000, scope: "cd".repeat(16) },
    slotMail: () => new SlotMail({ relay, store }),
    ranks: { isKeeper: () => true, isKeeperOfSlot: () => true, isRanked: () => true, find: () => keeperOf(1, ""), epoch: 1 },
    sourceOf: () => UNKNOWN_SOURCE,
    ask: () => Promise.reject(new CodedError("UPSTREAM_FAILED", "no one is asked")),
    tell: () => Promise.resolve(),
    clock: time.clock(MAIL_START_SEC * 1_000),
    timers: time,
  });
  const put = async (...envelopes: readonly Envelope[]): Promise<readonly string[]> => {
    const items = envelopes.map((envelope) => ({ envelope, admit: null }));
    const response = await service.respond({ type: "put", items, openings: [], passOn: [] }, "someone");
    return response?.type === "receipts" ? response.receipts.flatMap(({ marks }) => marks) : [];
  };
  const [sent, other] = [unsealedEnvelope(BOX), unsealedEnvelope(BOX)];
  const altered = { ...sent, sender_pub: "ef".repeat(32) };
  const markOf = (envelope: Envelope): string => receiptMark({ envelope, admit: null });
  expect(await put(altered, other)).toEqual([markOf(altered), markOf(other)]);
  expect(await put(sent, other)).toEqual([markOf(other)]);
  // Nodes of a sender that named no time name their own.
  expect(await put({ ...other, sent_at: other.sent_at + 1 })).toEqual([markOf(other)]);
  // What waits for its turn when the node stops reads nothing any more.
  const turns = [1, 2].map(() => service.respond({ type: "fetch", places: [{ box: BOX, id: other.id }] }, "someone"));
  await new Promise(setImmediate);
  service.close();
  time.advance(10_000);
  expect((await Promise.all(turns)).map((response) => response?.type)).toEqual(["mail", "busy"]);
});

it("looks up no ranks for strangers where it is no keeper, and otherwise few of them in one turn", async () => {
  const { relay, store } = await mailNode();
  const time = new VirtualTime();
  const { pub: publicKey, seed: secret } = actor(1);
  const ranked = new Set<string>();
  let [workedMs, isKeeper] = [0, false];
  const clock = time.clock(MAIL_START_SEC * 1_000);
  const service = new KeeperService({
    ...{ chainId: CHAIN_ID, key: { publicKey, secret }, relay, store, retentionMs: 1_000, scope: "cd".repeat(16) },
    slotMail: () => new SlotMail({ relay, store }),
    ranks: {
      // Three milliseconds for a box that was not looked up before.
      isKeeper: (_, box) => {
        if (!ranked.has(box)) workedMs += 3;
        ranked.add(box);
        return true;
      },
      isKeeperOfSlot: () => true,
      isRanked: (box) => ranked.has(box),
      find: () => (isKeeper ? keeperOf(1, "") : undefined),
      epoch: 1,
    },
    sourceOf: () => UNKNOWN_SOURCE,
    ask: () => Promise.reject(new CodedError("UPSTREAM_FAILED", "no one is asked")),
    tell: () => Promise.resolve(),
    clock: { ...clock, monotonicMs: () => clock.monotonicMs() + workedMs },
    timers: time,
  });
  const boxes = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(64, "0"));
  const watch = (): Promise<MailResponse | undefined> => service.respond({ type: "watch", boxes, isMore: false }, "stranger");
  expect([await watch(), ranked.size]).toEqual([{ type: "wrongKeeper", epoch: 1 }, 0]);
  isKeeper = true;
  const watched = watch();
  const turns = [ranked.size];
  while (ranked.size < boxes.length) {
    // Nine times as long as a piece took.
    time.advance(81);
    await new Promise(setImmediate);
    turns.push(ranked.size - turns.reduce((sum, count) => sum + count, 0));
  }
  expect([await watched, Math.max(...turns)]).toEqual([{ type: "done" }, 3]);
  // A few that are known make no one wait; many are looked at in pieces too.
  expect(await service.kept(boxes.slice(0, 64), "stranger")).toEqual(boxes.slice(0, 64));
  const all = service.kept(boxes, "stranger");
  time.advance(81);
  expect(await all).toEqual(boxes);
  service.close();
});

it("reads boxes in pieces and notes one request to watch at a time: who asks for little waits for one of these", async () => {
  const { relay, store } = await mailNode();
  const time = new VirtualTime();
  const { pub: publicKey, seed: secret } = actor(1);
  const clock = time.clock(MAIL_START_SEC * 1_000);
  let workedMs = 0;
  const work = (ms: number): undefined => {
    workedMs += ms;
  };
  const read = vi.spyOn(store.boxes, "find").mockImplementation(() => work(3));
  const looked = vi.spyOn(store.boxes, "partyOf").mockImplementation(() => work(0.05));
  const service = new KeeperService({
    ...{ chainId: CHAIN_ID, key: { publicKey, secret }, relay, store, retentionMs: 1_000, scope: "cd".repeat(16) },
    slotMail: () => new SlotMail({ relay, store }),
    ranks: { isKeeper: () => true, isKeeperOfSlot: () => true, isRanked: () => true, find: () => keeperOf(1, ""), epoch: 1 },
    sourceOf: () => UNKNOWN_SOURCE,
    ask: () => Promise.reject(new CodedError("UPSTREAM_FAILED", "no one is asked")),
    tell: () => Promise.resolve(),
    clock: { ...clock, monotonicMs: () => clock.monotonicMs() + workedMs },
    timers: time,
  });
  onTestFinished(() => service.close());
  const boxes = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(64, "0"));
  const turn = async (): Promise<void> => {
    for (let n = 0; n < 5; n += 1) await new Promise(setImmediate);
  };
  const ask = async (from: string, request: Parameters<KeeperService["respond"]>[0]): Promise<void> => {
    expect((await service.respond(request, from))?.type).not.toBe("busy");
    over.push(from);
  };
  const over: string[] = [];
  const get = (some: readonly string[]): Parameters<KeeperService["respond"]>[0] => ({
    ...{ type: "get", scope: null, hasContent: false },
    boxes: some.map((box) => ({ box, after: 0, afterDeletion: 0 })),
  });
  const places = boxes.map((box) => ({ box, id: "ab".repeat(16) }));
  const flood = [ask("flood", get(boxes)), ask("others", { type: "fetch", places }), ask("flood", get(boxes))];
  await turn();
  // Three of nine milliseconds.
  expect(read).toHaveBeenCalledTimes(3);
  const little = ask("little", get(boxes.slice(0, 1)));
  for (let turns = 0; turns < 2; turns += 1) {
    time.advance(27);
    await turn();
  }
  await little;
  // Its own, and two pieces of others at most.
  expect([over, read.mock.calls.length <= 3 + 1 + 6]).toEqual([["little"], true]);
  for (let turns = 0; over.length < 4; turns += 1) {
    const before = read.mock.calls.length;
    time.advance(27);
    await turn();
    // The last piece of a list may be a short one, with a short rest.
    expect([read.mock.calls.length - before <= 6, turns < 999]).toEqual([true, true]);
  }
  await Promise.all(flood);
  time.advance(27);
  await turn();
  const watch = (from: string, some: readonly string[]): Promise<void> => ask(from, { type: "watch", boxes: some, isMore: true });
  const watches = [watch("flood", boxes.slice(0, 64)), watch("flood", boxes.slice(64, 128)), watch("other", boxes.slice(0, 1))];
  await turn();
  expect(looked).toHaveBeenCalledTimes(64);
  time.advance(9.7);
  await turn();
  expect([looked.mock.calls.length, over.at(-1)]).toEqual([65, "other"]);
  time.advance(9.7);
  await Promise.all(watches);
});

const OWNER = mailboxOwner(CHAIN_ID, 7);
const WRITER = boxWriter(CHAIN_ID, 20);
const until = { untilSec: MAIL_START_SEC + 86_400, height: MAIL_HEIGHT };

/** A keeper whose signatures are counted. Members are keepers of weight 2. */
async function countedService(
  limits: Partial<MailboxLimits> = {},
): Promise<{ readonly node: MailNode; readonly service: KeeperService; readonly time: VirtualTime; readonly verified: () => number }> {
  let verified = 0;
  const verify = createNativeVerifier();
  const node = await mailNode(limits, true, (...given) => {
    verified += 1;
    return verify(...given);
  });
  const { relay, store } = node;
  const time = new VirtualTime();
  const { pub: publicKey, seed: secret } = actor(1);
  const service = new KeeperService({
    ...{ chainId: CHAIN_ID, key: { publicKey, secret }, relay, store, retentionMs: 1_000, scope: "cd".repeat(16) },
    slotMail: (): SlotMail => new SlotMail({ relay, store }),
    ranks: {
      ...{ isKeeper: (): boolean => true, isKeeperOfSlot: (): boolean => true, isRanked: (): boolean => true, epoch: 1 },
      find: (key): typeof MEMBER | undefined => (key === MEMBER.key || key === publicKey ? MEMBER : undefined),
    },
    sourceOf: (peer): MailSource => ({ party: `node ${peer}`, tag: "" }),
    ask: (): Promise<never> => Promise.reject(new CodedError("UPSTREAM_FAILED", "no one is asked")),
    tell: (): Promise<void> => Promise.resolve(),
    // Fewer than those of gossip, which would take a test minutes.
    rates: { ...NETWORK_LIMITS, admitted: { party: { perSecond: 8, burst: 128 }, total: { perSecond: 32, burst: 512 } } },
    clock: time.clock(MAIL_START_SEC * 1_000),
    timers: time,
  });
  onTestFinished(() => service.close());
  return { node, service, time, verified: (): number => verified };
}

const MEMBER = { ...keeperOf(2, ""), weight: 2 };
const timesOf = (responses: readonly (MailResponse | undefined)[], type: string): number =>
  responses.filter((response) => response?.type === type).length;

describe("what costs a keeper more than who asks", () => {
  it("deletions: at a rate of each party, and those without a proof in a tenth of the time", async () => {
    const { service, time, node } = await countedService();
    const ids = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(32, "0"));
    const notices = Array.from({ length: 16 }, () => ({ mailbox: OWNER.pub, ids, proof: null }));
    const looked = vi.spyOn(node.relay.deletions, "receiveRead");
    const flood = Array.from({ length: 100 }, () => service.respond({ type: "delete", notices }, "flood"));
    const own = service.respond({ type: "delete", notices: notices.slice(0, 1) }, "honest");
    // One look, and no other before a rest.
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    expect(looked).toHaveBeenCalledTimes(1);
    // None waits behind another one's.
    await pollUntil(() => {
      time.advance(1);
      return looked.mock.calls.length >= 4;
    });
    expect((await own)?.type).toBe("done");
    service.close();
    let isOver = false;
    const ended = Promise.all(flood).finally(() => {
      isOver = true;
    });
    await pollUntil(() => {
      time.advance(1_000);
      return isOver;
    });
    const responses = await ended;
    expect([timesOf(responses, "done"), timesOf(responses, "busy")]).toEqual([1_024 / 16, 100 - 1_024 / 16]);
  });

  it("openings: at a rate, those it knows for nothing, and none where it has no room for them", async () => {
    const { service, verified, time } = await countedService({ sourceBoxes: 3 });
    const openings = (from: number, count: number): BoxOpening[] =>
      Array.from({ length: count }, (_, n) => mailboxOwner(CHAIN_ID, from + n).opening(WRITER.key, until));
    const open = (some: readonly BoxOpening[], from: string): Promise<MailResponse | undefined> =>
      service.respond({ type: "open", openings: some }, from);
    const three = openings(1, 3);
    expect(await open(three, "a")).toEqual({ type: "done" });
    expect(verified()).toBe(3);
    for (let round = 0; round < 30; round += 1) expect(await open(three, "a")).toEqual({ type: "done" });
    expect(await open(openings(50, 64), "a")).toEqual({ type: "done" });
    expect(verified()).toBe(3);
    // Later ones of the same boxes, of which the keeper does not know before that they are true.
    const later = Array.from(
      { length: 64 },
      (_, n) => ({ ...three[0], height: MAIL_HEIGHT + n, signature: `${"A".repeat(86)}==` }) as BoxOpening,
    );
    const flood: (MailResponse | undefined)[] = [];
    for (let round = 0; round < 20; round += 1) flood.push(await open(later, "b"));
    expect([timesOf(flood, "busy") > 0, verified() <= 3 + 1_024]).toEqual([true, true]);
    expect((await open(openings(200, 1), "c"))?.type).toBe("done");
    time.advance(1_000);
    expect((await open(later, "b"))?.type).not.toBe("busy");
  });

  it("openings through carriers: a part of the room, however many carry, which leaves a carrier its own and others theirs", async () => {
    // Six of eight are of other nodes, three of these through carriers, two through one.
    const { service, node } = await countedService({ sourceBoxes: 5, relayBoxes: 8, carriedBoxes: 2 });
    const [one, two] = [MEMBER.key, actor(3).pub].map(peerNameOf) as [string, string];
    let n = 1;
    const open = async (from: string, carried?: CarriedWay): Promise<boolean> => {
      const owner = mailboxOwner(CHAIN_ID, n++);
      await service.respond({ type: "open", openings: [owner.opening(WRITER.key, until)] }, from, carried);
      return node.relay.boxes.find(owner.pub) !== undefined;
    };
    expect([await open(one, CARRIED), await open(one, CARRIED), await open(one, CARRIED)]).toEqual([true, true, false]);
    expect([await open(two, CARRIED), await open(two, CARRIED)]).toEqual([true, false]);
    expect([await open(one), await open("honest"), await open(two)]).toEqual([true, true, true]);
    expect(await open("honest")).toBe(false);
  });

  it("signatures through a carrier: at a rate of their own, so that who floods through it takes nothing of its own", async () => {
    const { service, node } = await countedService();
    await node.relay.boxes.take(OWNER.opening(WRITER.key, until), UNKNOWN_SOURCE);
    const false64 = Array.from({ length: 64 }, () => ({ envelope: unsealedEnvelope(OWNER.pub), admit: `${"A".repeat(86)}==` }));
    const put = async (carried?: CarriedWay): Promise<string | undefined> =>
      (await service.respond({ type: "put", items: false64, openings: [], passOn: [] }, peerNameOf(MEMBER.key), carried))?.type;
    for (let round = 0; round < 3; round += 1) await put(CARRIED);
    expect([await put(CARRIED), await put()]).toEqual(["busy", "receipts"]);
  });

  it("mail with signatures: at a rate of each party, what it has for nothing", async () => {
    const { service, node, verified } = await countedService();
    await node.relay.boxes.take(OWNER.opening(WRITER.key, until), UNKNOWN_SOURCE);
    const put = (some: readonly Envelope[], admitOf: (envelope: Envelope) => string, from: string): Promise<MailResponse | undefined> =>
      service.respond(
        { type: "put", items: some.map((envelope) => ({ envelope, admit: admitOf(envelope) })), openings: [], passOn: [] },
        from,
      );
    const many = (count: number): Envelope[] => Array.from({ length: count }, () => unsealedEnvelope(OWNER.pub));
    const false64 = many(64);
    const before = verified();
    const flood: (MailResponse | undefined)[] = [];
    for (let round = 0; round < 6; round += 1) flood.push(await put(false64, () => `${"A".repeat(86)}==`, "flood"));
    expect([timesOf(flood, "busy"), verified() - before]).toEqual([4, 128]);
    const own = many(32);
    expect((await put(own, WRITER.admit, "honest"))?.type).toBe("receipts");
    const known = verified();
    for (let round = 0; round < 5; round += 1) expect((await put(own, WRITER.admit, "honest"))?.type).toBe("receipts");
    expect(verified()).toBe(known);
  });

  it("bytes of a day are enough for several of the largest files, and for clients of more networks than one", () => {
    const chunk = envelopeBytes(unsealedEnvelope(OWNER.pub, CHUNK_BYTES * 1.1));
    expect(KEEPER_LIMITS.nodeDayBytes).toBeGreaterThan(4 * Math.ceil(MAX_FILE_BYTES / CHUNK_BYTES) * chunk);
    expect(KEEPER_LIMITS.nodeDayBytes).toBeGreaterThanOrEqual(10 * MAILBOX_LIMITS.sourceDayBytes);
  });

  it("bytes: so many a day of a node, of a member by its bond, and of open boxes as many beside", async () => {
    const { service, node } = await countedService({ recipientBytes: 400_000_000 });
    const bytes = 180_000;
    let n = 0;
    const put = async (from: string, carried?: CarriedWay): Promise<boolean> => {
      const envelope = unsealedEnvelope((n++ % 200).toString(16).padStart(64, "0"), bytes);
      const response = await service.respond({ type: "put", items: [{ envelope, admit: null }], openings: [], passOn: [] }, from, carried);
      return response?.type === "receipts" && response.receipts.length === 1;
    };
    const days = vi.spyOn(node.store.waiting, "takeDay");
    expect(await put("stranger")).toBe(true);
    expect(await put(peerNameOf(MEMBER.key))).toBe(true);
    expect(days.mock.calls.map(([party, { most }]) => [party, most])).toEqual([
      ["node stranger", KEEPER_LIMITS.nodeDayBytes],
      [`relay ${MEMBER.key}`, 2_000_000_000],
    ]);
    const size = envelopeBytes(unsealedEnvelope(OWNER.pub, bytes));
    node.store.inTransaction(() =>
      node.store.waiting.takeDay("node stranger", { ...dayNow(), bytes: KEEPER_LIMITS.nodeDayBytes - 2 * size }),
    );
    expect([await put("stranger"), await put("stranger"), await put("other")]).toEqual([true, false, true]);
    // What it carries of others is counted by itself, and less.
    days.mockClear();
    expect(await put(peerNameOf(MEMBER.key), CARRIED)).toBe(true);
    expect(days.mock.calls.map(([party, { most }]) => [party, most])).toEqual([
      [`carried ${MEMBER.key}`, 2_000_000_000 / KEEPER_LIMITS.carriedShare],
    ]);
    // What it brings to itself it has counted as its clients'.
    days.mockClear();
    expect([await put(peerNameOf(actor(1).pub)), days.mock.calls]).toEqual([true, []]);
  });
});

function dayNow(): { readonly day: number; readonly most: number } {
  return { day: Math.floor(MAIL_START_SEC / 86_400), most: KEEPER_LIMITS.nodeDayBytes };
}
