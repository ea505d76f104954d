// Reading without a proof while keepers have the mail: what they list is shown and never stored; those that hang, lie or send pages without an
// end keep nothing from the reader, and cost this node little.
import { describe, expect, it } from "vitest";
import { createLog } from "#node/observability/log.ts";
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";
import type { BoxKeepers } from "#node/relay/keepers/placing/keeper-ranks.ts";
import { learnOpening } from "#node/relay/keepers/reading/learn-opening.ts";
import { createUnprovenMail, type UnprovenReading } from "#node/relay/keepers/unproven/create-unproven-mail.ts";
import { UNKNOWN_SOURCE } from "#node/storage/mailbox/mail-sources.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { keeperOf } from "#test/support/nodes/mail-keepers.ts";
import { boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { CHAIN_ID } from "#test/support/worlds/ledger-world.ts";
import { MAIL_START_SEC, type MailNode, mailNode, unsealedEnvelope } from "#test/support/worlds/mail-world.ts";

const OWNER = mailboxOwner(CHAIN_ID, 78, MAIL_START_SEC);
const BOX = OWNER.pub;
const KEEPERS = [1, 2, 3].map((n) => keeperOf(n, `/ip4/8.8.${n}.1/tcp/1`));
const SCOPE = "ab".repeat(16);
const QUERY = { recipientPub: BOX, limit: 50, maxBytes: 2_000_000 };
const mail = (count: number, bytes = 20): Envelope[] => Array.from({ length: count }, () => unsealedEnvelope(BOX, bytes));

type Get = Extract<MailRequest, { readonly type: "get" }>;

/** A keeper of a test: what it has, and how it behaves. */
class PlayedKeeper {
  has: Envelope[] = [];
  opening: BoxOpening | null = null;
  hangs = false;
  pageIds = 1_000;
  /** Ids that it lists beside what it has. */
  invented: string[] = [];
  asked: MailRequest[] = [];
  twist = (response: MailResponse): MailResponse => response;

  respond(request: MailRequest): Promise<MailResponse> {
    this.asked.push(request);
    if (this.hangs) return new Promise(() => undefined);
    if (request.type === "get") return Promise.resolve(this.twist(this.#page(request)));
    if (request.type !== "fetch") return Promise.resolve({ type: "done" });
    const items = this.has.filter(({ id }) => request.places.some((place) => place.id === id));
    const found: MailResponse = { type: "mail", items: items.map((envelope) => ({ envelope, admit: null })), openings: [], deletions: [] };
    return Promise.resolve(this.twist(found));
  }

  #page({ boxes }: Get): MailResponse {
    const ids = [...this.invented, ...this.has.map(({ id }) => id)];
    const pages = boxes.map(({ box, after }) => {
      const listed = box === BOX ? ids.slice(after, after + this.pageIds) : [];
      const rest = { opening: this.opening, deletions: [], lastDeletion: 0 };
      return { box, ids: listed, lastSeq: after + listed.length, hasMore: box === BOX && after + listed.length < ids.length, ...rest };
    });
    return { type: "page", scope: SCOPE, boxes: pages, items: [] };
  }
}

interface World extends UnprovenReading {
  readonly node: MailNode;
  readonly time: VirtualTime;
  readonly keepers: readonly [PlayedKeeper, PlayedKeeper, PlayedKeeper];
  readonly lies: number[];
  /** Lets time pass until it resolves; with the virtual time that it took, ms. */
  during<T>(work: Promise<T>): Promise<readonly [T, number]>;
  /** Lets time pass, and what waited for it go on. */
  pass(durationMs: number): Promise<void>;
  /** Reads the box, and gives ids, `complete` and the time of reading, ms. */
  list(query?: Partial<typeof QUERY & { afterSeq: number; sinceSec: number }>): Promise<Listed>;
}

interface Listed {
  readonly ids: readonly string[];
  readonly seqs: readonly number[];
  readonly isComplete: boolean;
  readonly hasMore: boolean;
  readonly tookMs: number;
}

async function world(): Promise<World> {
  const node = await mailNode();
  const time = new VirtualTime();
  const keepers = [new PlayedKeeper(), new PlayedKeeper(), new PlayedKeeper()] as const;
  const lies: number[] = [];
  const numberOf = (key: string): number => KEEPERS.findIndex((each) => each.key === key);
  const reading = createUnprovenMail({
    ...{ ownKey: "00".repeat(32), relay: node.relay, store: node.store, timers: time, clock: time.clock(MAIL_START_SEC * 1_000) },
    ranks: { isRanked: () => true, keepersOf: (): BoxKeepers => ({ keeping: KEEPERS, standingIn: [], draining: [] }) },
    ask: (key, request) => keepers[numberOf(key)]?.respond(request) ?? Promise.reject(new CodedError("UPSTREAM_FAILED", "unknown")),
    onLie: (key): void => void lies.push(numberOf(key)),
    limits: KEEPER_LIMITS,
    log: createLog("json", { write: () => undefined }),
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
  };
  const during = async <T>(work: Promise<T>): Promise<readonly [T, number]> => {
    const beganMs = time.nowMs;
    let isOver = false;
    void work.finally(() => {
      isOver = true;
    });
    // What needs no time is done before some passes.
    await settle();
    await pollUntil(() => {
      if (!isOver) time.advance(100);
      return isOver;
    });
    return [await work, time.nowMs - beganMs];
  };
  const pass = async (durationMs: number): Promise<void> => {
    time.advance(durationMs);
    await settle();
  };
  const list: World["list"] = async (query = {}) => {
    const [unread, tookMs] = await during(reading.mail.read([BOX]));
    const [page] = await during(reading.mail.listText({ ...QUERY, ...query }));
    const items = JSON.parse(`[${page.items}]`) as { readonly id: string; readonly seq: number }[];
    expect(items).toHaveLength(page.count);
    return {
      ...{ ids: items.map(({ id }) => id), seqs: items.map(({ seq }) => seq), tookMs },
      ...{ isComplete: page.isComplete && unread.size === 0, hasMore: page.hasMore },
    };
  };
  return { ...reading, node, time, keepers, lies, during, pass, list };
}

const idsOf = (some: readonly Envelope[]): readonly string[] => some.map(({ id }) => id);

describe("a list without a proof", () => {
  it("has what keepers and this node have, in the form of a mailbox, and stores nothing", async () => {
    const { node, keepers, list, mail: reads, during } = await world();
    const [shared, rare, own] = [mail(3), mail(1), mail(1)];
    for (const keeper of keepers) keeper.has = [...shared];
    keepers[2].has.push(...rare);
    await node.relay.receive(own);
    expect(await list()).toMatchObject({ ids: idsOf([...own, ...shared, ...rare]), isComplete: true, hasMore: false, tookMs: 0 });
    expect([reads.count(BOX), node.store.count(BOX), node.store.served.list()]).toEqual([5, 1, []]);
    // The text of an item is that of this node's mailbox, but for the position.
    const [{ items }] = await during(reads.listText({ ...QUERY, limit: 1 }));
    const stored = JSON.parse(node.relay.listText({ ...QUERY, limit: 1 }).items) as object;
    expect(JSON.parse(items)).toEqual({ ...stored, seq: (JSON.parse(items) as { seq: number }).seq });
  });

  it("goes on after a position, misses nothing that comes later, and begins anew for a position of another list", async () => {
    const { keepers, list, pass } = await world();
    const [first, second] = [mail(5), mail(2)];
    for (const keeper of keepers) keeper.has = [...first];
    const page = await list({ limit: 3 });
    expect([page.ids, page.hasMore]).toEqual([idsOf(first.slice(0, 3)), true]);
    for (const keeper of keepers) keeper.has = [...second, ...first];
    await pass(KEEPER_LIMITS.unprovenFreshMs);
    const rest = await list({ afterSeq: page.seqs.at(-1) ?? 0 });
    expect(rest.ids).toEqual(idsOf([...first.slice(3), ...second]));
    expect((await list({ afterSeq: rest.seqs.at(-1) ?? 0 })).ids).toEqual([]);
    expect((await list({ afterSeq: 7 })).ids).toHaveLength(7);
    expect((await list({ sinceSec: MAIL_START_SEC + 1 })).ids).toEqual(idsOf(second));
  });

  it("waits for two keepers, 2 s at most, and says when fewer have responded", async () => {
    const { keepers, list, pass } = await world();
    const sent = mail(2);
    for (const keeper of keepers) keeper.has = [...sent];
    keepers[0].hangs = true;
    expect(await list()).toMatchObject({ ids: idsOf(sent), isComplete: true, tookMs: 0 });
    await pass(60_000);
    keepers[1].hangs = true;
    const alone = await list();
    expect([alone.ids, alone.isComplete]).toEqual([idsOf(sent), false]);
    expect(alone.tookMs).toBe(KEEPER_LIMITS.firstReadMs);
    // Those that did not respond are not waited for again and again.
    await pass(KEEPER_LIMITS.unprovenMs);
    await list();
    expect((await list()).tookMs).toBe(0);
    for (const keeper of keepers) keeper.hangs = false;
    await pass(60_000);
    expect(await list()).toMatchObject({ ids: idsOf(sent), isComplete: true, tookMs: 0 });
  });

  it("is not held up by what a keeper made up, altered, or lists without an end", async () => {
    const { keepers, list, lies, pass } = await world();
    const sent = mail(3);
    for (const keeper of keepers) keeper.has = [...sent];
    keepers[0].invented = Array.from({ length: 200 }, (_, n) => n.toString(16).padStart(32, "f"));
    expect(await list({ limit: 10 })).toMatchObject({ ids: idsOf(sent), isComplete: true });
    keepers[0].invented = Array.from({ length: KEEPER_LIMITS.boxEntries + 1 }, (_, n) => n.toString(16).padStart(32, "e"));
    await pass(60_000);
    expect((await list()).ids).toEqual(idsOf(sent));
    expect(lies).toEqual([0]);
    // Altered contents are those of another id; pages that lead nowhere end.
    keepers[0].invented = [];
    keepers[0].twist = (response): MailResponse =>
      response.type === "page"
        ? { ...response, boxes: response.boxes.map((list_) => ({ ...list_, ids: [], lastSeq: 0, hasMore: true })) }
        : response;
    const late = mail(1);
    for (const keeper of keepers) keeper.has.push(...late);
    keepers[0].asked = [];
    await pass(60_000);
    expect((await list()).ids).toEqual(idsOf([...sent, ...late]));
    expect(keepers[0].asked.length).toBeLessThanOrEqual(KEEPER_LIMITS.unprovenPages);
    keepers[0].twist = keepers[1].twist;
    const [altered] = mail(1) as [Envelope];
    keepers[0].has.push({ ...altered, ciphertext: unsealedEnvelope(BOX, 40).ciphertext });
    await pass(60_000);
    expect((await list()).ids).toEqual(idsOf([...sent, ...late]));
  });

  it("has what cannot be had now at a later position, once it can", async () => {
    const { keepers, list, pass } = await world();
    const [shared, rare] = [mail(2), mail(1)];
    for (const keeper of keepers) keeper.has = [...shared];
    keepers[2].has.unshift(...rare);
    keepers[2].twist = (response): MailResponse => (response.type === "mail" ? { type: "busy" } : response);
    const before = await list();
    expect([before.ids, before.isComplete]).toEqual([idsOf(shared), false]);
    keepers[2].twist = keepers[1].twist;
    await pass(120_000);
    expect(await list({ afterSeq: before.seqs.at(-1) ?? 0 })).toMatchObject({ ids: idsOf(rare), isComplete: true });
  });

  it("asks of 10,000 boxes each keeper a few requests, and remembers no more than it may", async () => {
    const { keepers, mail: reads, during } = await world();
    const boxes = Array.from({ length: 10_000 }, (_, n) => n.toString(16).padStart(64, "0"));
    for (let at = 0; at < boxes.length; at += 500) await during(reads.read(boxes.slice(at, at + 500)));
    for (const { asked } of keepers) expect(asked).toHaveLength(20);
    expect(boxes.filter((box) => reads.isAtHand(box)).length).toBeLessThanOrEqual(KEEPER_LIMITS.unprovenBoxes);
    expect(reads.isAtHand(boxes.at(-1) ?? "")).toBe(true);
  });

  it("knows by the owner's signature alone that he reads the box alone", async () => {
    const { keepers, list, mail: reads, lies, pass } = await world();
    const writer = boxWriter(CHAIN_ID, 5);
    const opening = OWNER.opening(writer.key, { untilSec: MAIL_START_SEC + 1_000, height: 5_000, read: "owner" });
    keepers[0].opening = { ...opening, height: 5_001 };
    await list();
    expect([reads.openingOf(BOX), lies]).toEqual([undefined, [0]]);
    keepers[0].opening = opening;
    await pass(60_000);
    await list();
    expect(reads.openingOf(BOX)).toEqual(opening);
  });
});

describe("who listens without a proof", () => {
  it("is told of what comes later, once, and not while the owner reads the box alone", async () => {
    const { node, keepers, list, renew, pass } = await world();
    const [old, fresh, later] = [mail(2), mail(1), mail(1)];
    for (const keeper of keepers) keeper.has = [...old];
    const told: string[] = [];
    node.relay.onArrival(
      ({ id }) => told.push(id),
      () => true,
    );
    const news = async (): Promise<void> => {
      renew([BOX]);
      await pass(3_000);
      await pass(1_000);
    };
    await list();
    for (const keeper of keepers) keeper.has.push(...fresh);
    await news();
    expect(told).toEqual([]);
    // What came a moment before is told as well: no listener can know it.
    const stop = node.relay.watch(BOX);
    for (const keeper of keepers) keeper.has.push(...later);
    await news();
    await news();
    expect(told).toEqual(idsOf([...fresh, ...later]));
    const last = mail(1);
    for (const keeper of keepers) keeper.has.push(...last);
    stop();
    await news();
    expect(told).toHaveLength(2);
    expect(node.store.totalCount()).toBe(0);
  });
});

describe("the opening of a box", () => {
  it("is asked of all three keepers at once: two that hang cost nothing", async () => {
    const { node, time, keepers, during } = await world();
    const writer = boxWriter(CHAIN_ID, 6);
    keepers[2].opening = OWNER.opening(writer.key, { untilSec: MAIL_START_SEC + 1_000, height: 5_000 });
    keepers[0].hangs = true;
    keepers[1].hangs = true;
    const asking = learnOpening(BOX, {
      ...{ ownKey: "00".repeat(32), relay: node.relay, timers: time, log: createLog("json", { write: () => undefined }) },
      ranks: { keepersOf: () => ({ keeping: KEEPERS, standingIn: [], draining: [] }) },
      ask: (key, request) =>
        keepers[KEEPERS.findIndex((each) => each.key === key)]?.respond(request) ?? Promise.reject(new Error("unknown")),
      sourceOf: () => UNKNOWN_SOURCE,
    });
    const [, tookMs] = await during(asking);
    expect([node.relay.boxes.find(BOX)?.opening.writeKey, tookMs]).toEqual([writer.key, 0]);
  });
});
