// Repair among keepers with real stores and relays: each ends with what any of them has, for no longer than it was kept before, and what an
// owner deleted goes everywhere.
import { expect, it } from "vitest";
import { peerNameOf } from "#node/network/peer-name.ts";
import { mailRequestCodec, mailResponseCodec } from "#node/network/wire/mail-codec.ts";
import { createLog } from "#node/observability/log.ts";
import { MailRepair } from "#node/relay/keepers/repair/mail-repair.ts";
import { planRound, rankedSlot, type SlotKeepers } from "#node/relay/keepers/repair/repair-plan.ts";
import { SlotMail } from "#node/relay/keepers/repair/slot-mail.ts";
import { KeeperService } from "#node/relay/keepers/serving/keeper-service.ts";
import type { MailSource } from "#node/storage/mailbox/mail-sources.ts";
import { decode, encode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import { slotOf } from "#shared/protocol/keepers/placement.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { keeperOf } from "#test/support/nodes/mail-keepers.ts";
import { type MailboxOwner, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { actor, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";
import { MAIL_HEIGHT, MAIL_START_SEC, type MailNode, mailClient, mailNode, unsealedEnvelope } from "#test/support/worlds/mail-world.ts";

const LOG = createLog("json", { write: () => undefined });
const SOURCE = mailClient("other node", false);
const DAY_S = 86_400;
/** Keepers of some slot. */
const ALL = Array.from({ length: 6 }, (_, n) => keeperOf(n, "/ip4/127.0.0.1/tcp/1"));
const RETENTION_MS = 30 * DAY_S * 1_000;
const keyOf = (n: number): PublicKeyHex => actor(n).pub;

interface KeeperNode {
  readonly node: MailNode;
  readonly repair: MailRepair;
  ids(box: string): readonly string[];
}

interface World {
  readonly time: VirtualTime;
  readonly all: readonly KeeperNode[];
  readonly gone: Set<number>;
  readonly asked: string[];
  /** Mailboxes that write what came, which takes as long as the disk does. */
  readonly writing: { count: number };
}

/** Timers that fire before it is looked at the time again. */
const STEPS_A_LOOK = 100;

/** Boxes of these tests; their slots have keepers, and no others. */
const OWNERS = Array.from({ length: 9 }, (_, n) => mailboxOwner(CHAIN_ID, 60 + n, MAIL_START_SEC));
const BOXES = OWNERS.map(({ pub }) => pub);
const [OWNER, BOX] = [OWNERS[0] as MailboxOwner, BOXES[0] as string];
const SLOTS = new Set(BOXES.map((box) => slotOf(box)));

/** Keepers of one network, in the order of their ranks in every slot; `bend` changes what one says. */
async function keepers(
  count: number,
  bend: (n: number, response: MailResponse | undefined) => MailResponse | undefined = (_n, response) => response,
): Promise<World> {
  const time = new VirtualTime();
  const clock = time.clock(MAIL_START_SEC * 1_000);
  const ranked = Array.from({ length: count }, (_, n) => ({ key: keyOf(n) }));
  const services: KeeperService[] = [];
  const gone = new Set<number>();
  const asked: string[] = [];
  const writing = { count: 0 };
  const ranks = {
    isKeeper: (key: PublicKeyHex): boolean => ranked.some((each) => each.key === key),
    isKeeperOfSlot: (key: PublicKeyHex): boolean => ranked.some((each) => each.key === key),
    isRanked: (): boolean => true,
    keepersOfSlot: (slot: number): SlotKeepers | undefined =>
      SLOTS.has(slot) ? { keeping: ranked.slice(0, 3), standingIn: ranked.slice(3, 6), all: ranked.map(({ key }) => key) } : undefined,
    find: (key: PublicKeyHex): Keeper | undefined => ALL.find((each) => each.key === key),
    epoch: 1,
    version: "1",
  } as const;
  const all: KeeperNode[] = [];
  for (let n = 0; n < count; n += 1) {
    const node = await mailNode();
    const { relay, store } = node;
    const slots = new SlotMail({ relay, store });
    const ask = async (keeper: PublicKeyHex, request: MailRequest): Promise<MailResponse> => {
      const to = ranked.findIndex(({ key }) => key === keeper);
      if (gone.has(to) || gone.has(n)) throw new CodedError("UPSTREAM_FAILED", "away");
      asked.push(request.type);
      // As bytes, as on the wire.
      const sent = decode(mailRequestCodec, encode(mailRequestCodec, request));
      if (sent.type === "news" || sent.type === "typing" || sent.type === "card" || sent.type === "signed")
        throw new Error("not asked here");
      const response = bend(to, await services[to]?.respond(sent, peerNameOf(keyOf(n))));
      if (response === undefined) throw new CodedError("UPSTREAM_FAILED", "refused");
      return decode(mailResponseCodec, encode(mailResponseCodec, response));
    };
    const given = { relay, store, clock, timers: time, ranks, ask, slotMail: (): SlotMail => slots, sourceOf: (): MailSource => SOURCE };
    services.push(
      new KeeperService({
        ...given,
        chainId: CHAIN_ID,
        key: { publicKey: keyOf(n), secret: actor(n).seed },
        retentionMs: RETENTION_MS,
        tell: () => Promise.resolve(),
        scope: "cd".repeat(16),
      }),
    );
    const receiveKept: typeof relay.receiveKept = async (...items) => {
      writing.count += 1;
      return await relay.receiveKept(...items).finally(() => {
        writing.count -= 1;
      });
    };
    const repair = new MailRepair({
      counts: (): boolean => true,
      // Keepers of an earlier version: they sign no digests, and nothing else is lost by it.
      digests: { compare: (): Promise<never> => Promise.reject(new CodedError("UPSTREAM_FAILED", "unknown protocol")) },
      ...{ ...given, relay: { receiveKept, boxes: relay.boxes, deletions: relay.deletions } },
      ...{ ownKey: keyOf(n), isActive: (): boolean => true, retentionMs: RETENTION_MS, onLie: (): void => undefined, log: LOG },
    });
    repair.start();
    all.push({
      node,
      repair,
      ids: (box) =>
        relay
          .list({ recipientPub: box, limit: 1_000 })
          .items.map(({ envelope }) => envelope.id)
          .toSorted(),
    });
  }
  return { time, all, gone, asked, writing };
}

const idsOf = (some: readonly Envelope[]): readonly string[] => some.map(({ id }) => id).toSorted();

/** Lets time pass until each keeper has ended rounds. It stands still while a mailbox writes: a slow disk makes no keeper late. */
async function untilRounds({ time, all, writing }: World, more = 1): Promise<void> {
  const until = all.map(({ repair }) => repair.figures.rounds + more);
  const isOver = (): boolean => all.every(({ repair }, n) => repair.figures.rounds >= (until[n] ?? 0));
  const look = async (): Promise<boolean> => {
    for (let steps = 0; steps < STEPS_A_LOOK && !isOver(); steps += 1) {
      // What runs between two timers is done with immediates.
      for (let turn = 0; turn < 8; turn += 1) await new Promise(setImmediate);
      if (writing.count > 0 || time.pending === 0) return false;
      time.step(Number.MAX_SAFE_INTEGER);
    }
    return isOver();
  };
  await pollUntil(look, { intervalMs: 1, what: "each keeper to end a round" });
}

it("brings each keeper what the others have, and keeps it no longer than they do", async () => {
  const world = await keepers(3);
  const [a, b, c] = world.all as [KeeperNode, KeeperNode, KeeperNode];
  const sent = BOXES.flatMap((box) => Array.from({ length: 40 }, () => unsealedEnvelope(box)));
  a.node.nowSec -= 5 * DAY_S;
  await a.node.relay.receive(sent.filter((_, n) => n % 3 > 0));
  a.node.nowSec += 5 * DAY_S;
  await b.node.relay.receive(sent.filter((_, n) => n % 3 < 2));
  await untilRounds(world, 2);
  for (const keeper of [a, b, c])
    for (const box of BOXES) expect(keeper.ids(box)).toEqual(idsOf(sent.filter(({ recipient_pub }) => recipient_pub === box)));
  const [old] = sent.slice(2);
  expect(c.node.store.get(old?.recipient_pub ?? "", old?.id ?? "")?.receivedAtSec).toBe(MAIL_START_SEC - 5 * DAY_S);
  // Once all are equal, a round is a few digests.
  world.asked.length = 0;
  await untilRounds(world);
  expect(new Set(world.asked)).toEqual(new Set(["digest"]));
});

it("tells what an owner deleted, and leaves what is about to go", async () => {
  const world = await keepers(2);
  const [a, b] = world.all as [KeeperNode, KeeperNode];
  const [gone, stays, expiring] = [1, 2, 3].map(() => unsealedEnvelope(BOX)) as [Envelope, Envelope, Envelope];
  await a.node.relay.receive([gone, stays]);
  a.node.nowSec -= 30 * DAY_S - 3_600;
  await a.node.relay.receive([expiring]);
  a.node.nowSec += 30 * DAY_S - 3_600;
  await b.node.relay.receive([gone]);
  await b.node.relay.deletions.take(OWNER.deletion([gone.id], MAIL_HEIGHT));
  await untilRounds(world, 2);
  expect(a.ids(BOX)).toEqual(idsOf([stays, expiring]));
  expect(b.ids(BOX)).toEqual([stays.id]);
});

it("tells what an owner deleted once all were found equal, and one keeper that is away keeps it from no other", async () => {
  const world = await keepers(3);
  const [a, b, c] = world.all as [KeeperNode, KeeperNode, KeeperNode];
  const [gone, stays] = [unsealedEnvelope(BOX), unsealedEnvelope(BOX)];
  await a.node.relay.receive([gone, stays]);
  await untilRounds(world, 2);
  expect(world.all.map(({ ids }) => ids(BOX))).toEqual(world.all.map(() => idsOf([gone, stays])));
  // The one that is asked first.
  world.gone.add(0);
  await c.node.relay.deletions.learn([OWNER.deletion([gone.id], MAIL_HEIGHT)]);
  await untilRounds(world);
  expect([a.ids(BOX), b.ids(BOX)]).toEqual([idsOf([gone, stays]), [stays.id]]);
  world.gone.clear();
  await untilRounds(world, 2);
  expect(world.all.map(({ ids }) => ids(BOX))).toEqual(world.all.map(() => [stays.id]));
});

it("is refused to who keeps nothing of the slot", async () => {
  const { all } = await keepers(2);
  const node = all[0]?.node as MailNode;
  const slots = new SlotMail(node);
  const service = new KeeperService({
    ...{ ...node, slotMail: (): SlotMail => slots, chainId: CHAIN_ID, key: { publicKey: keyOf(0), secret: actor(0).seed }, retentionMs: 1 },
    ...{
      scope: "cd".repeat(16),
      sourceOf: (): MailSource => SOURCE,
      tell: (): Promise<void> => Promise.resolve(),
      timers: {
        setTimer: (_delayMs: number, callback: () => void): (() => void) => {
          const immediate = setImmediate(callback);
          return (): void => clearImmediate(immediate);
        },
      },
    },
    ranks: {
      isKeeper: () => true,
      isKeeperOfSlot: (key) => key === keyOf(0),
      isRanked: () => true,
      find: (key) => ALL.find((each) => each.key === key),
      epoch: 7,
    },
    ask: () => Promise.reject(new CodedError("UPSTREAM_FAILED", "no one is asked")),
    clock: new VirtualTime().clock(MAIL_START_SEC * 1_000),
  });
  // A keeper of other slots, and a node that is none.
  for (const stranger of [peerNameOf(keyOf(5)), peerNameOf(keyOf(9))])
    for (const request of [
      { type: "digest", slots: [1, 2] },
      { type: "ranges", slot: 1, ranges: [""] },
    ] as const)
      expect(await service.respond(request, stranger)).toEqual({ type: "wrongKeeper", epoch: 7 });
  expect(await service.respond({ type: "digest", slots: [1] }, peerNameOf(keyOf(0)))).toMatchObject({ type: "digests" });
  service.close();
});

it("leaves a keeper alone that lists what lies in another slot", async () => {
  const other = BOXES.find((each) => slotOf(each) !== slotOf(BOX));
  const world = await keepers(2, (n, response) =>
    n !== 0 || response?.type !== "ranges"
      ? response
      : { type: "ranges", answers: [{ is: "list", entries: [{ box: other ?? "", id: "00".repeat(16), receivedSec: MAIL_START_SEC }] }] },
  );
  await world.all[0]?.node.relay.receive([unsealedEnvelope(BOX)]);
  await untilRounds(world);
  expect(world.asked.filter((type) => type === "ranges")).toHaveLength(1);
  await untilRounds(world);
  expect(world.asked.filter((type) => type === "ranges")).toHaveLength(1);
  expect(world.all[1]?.ids(BOX)).toEqual([]);
});

it("is the affair of the next rank as well, while fewer than two before it are reached", async () => {
  const world = await keepers(4);
  const [a, , , d] = world.all as [KeeperNode, KeeperNode, KeeperNode, KeeperNode];
  const sent = [unsealedEnvelope(BOX), unsealedEnvelope(BOX)];
  await a.node.relay.receive(sent);
  await untilRounds(world, 2);
  expect(d.ids(BOX)).toEqual([]);
  world.gone.add(1).add(2);
  await untilRounds(world, 2);
  expect(d.ids(BOX)).toEqual(idsOf(sent));
});

it("plans each keeper once, with all slots that both have", () => {
  const keyed = (keys: readonly string[]): { readonly key: string }[] => keys.map((key) => ({ key }));
  const ranks = { keeping: keyed(["a", "b", "c"]), standingIn: keyed(["d", "e"]), all: ["a", "b", "c", "d", "e", "old"] };
  expect(rankedSlot(1, ranks, "z")).toBeUndefined();
  const mine = [1, 2].flatMap((slot) => rankedSlot(slot, ranks, "b") ?? []);
  const reached = (): boolean => true;
  expect(planRound(mine, reached)).toEqual(new Map(["a", "c", "d", "e", "old"].map((key) => [key, [1, 2]])));
  const standing = [1, 2].flatMap((slot) => rankedSlot(slot, ranks, "d") ?? []);
  expect(planRound(standing, reached)).toEqual(new Map(["a", "b", "c"].map((key) => [key, [1]])));
  expect(planRound(standing, (key) => key === "a").get("old")).toEqual([1, 2]);
});
