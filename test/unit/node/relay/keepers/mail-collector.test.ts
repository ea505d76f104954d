// Reading at keepers: what they list ends up in this node's mailbox, once; one that lies or hangs keeps nothing from the others.
import { describe, expect, it } from "vitest";
import { UnknownProtocolError } from "#node/network/traffic/request-protocol.ts";
import { createLog } from "#node/observability/log.ts";
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";
import type { BoxKeepers } from "#node/relay/keepers/placing/keeper-ranks.ts";
import { MailCollector } from "#node/relay/keepers/reading/mail-collector.ts";
import { type MailSource, UNKNOWN_SOURCE } from "#node/storage/mailbox/mail-sources.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { BoxPage, MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { keeperOf } from "#test/support/nodes/mail-keepers.ts";
import { boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { CHAIN_ID } from "#test/support/worlds/ledger-world.ts";
import { MAIL_HEIGHT, MAIL_START_SEC, type MailNode, mailNode, unsealedEnvelope } from "#test/support/worlds/mail-world.ts";

const OWNER = mailboxOwner(CHAIN_ID, 77, MAIL_START_SEC);
const BOX = OWNER.pub;
const KEEPERS = [1, 2, 3, 4].map((n) => keeperOf(n, `/ip4/8.8.${n}.1/tcp/1`));
/** Where minutes pass, so much of them at a time, ms. */
const STEP_MS = 15_000;
const SCOPE = "ab".repeat(16);

/** A keeper of a test: what it has, and how it behaves. */
interface Keeper {
  readonly has: Envelope[];
  isAway: boolean;
  /** The connection ended, until it is asked again. */
  isCut: boolean;
  /** What is watched there is forgotten, or what it says is new when that is renewed. */
  forgets: boolean;
  readonly news: string[];
  /** Changes an honest response. */
  twist: (response: MailResponse) => MailResponse;
  readonly asked: string[];
  /** Boxes of each request to watch. */
  readonly watches: (readonly string[])[];
}

interface CollectorWorld {
  readonly node: MailNode;
  readonly time: VirtualTime;
  readonly collector: MailCollector;
  /** The three that keep, and the one that stands in where a test has one. */
  readonly keepers: readonly [Keeper, Keeper, Keeper];
  readonly standIn: Keeper;
  readonly lies: number[];
  /** Boxes of which keepers are to tell, and those of which they do. */
  readonly told: string[];
  readonly watched: string[];
  /** Ids in this node's mailbox. */
  ids(): readonly string[];
  /** Lets time pass until something holds. */
  until(holds: () => boolean, stepMs?: number): Promise<void>;
}

function respond(keeper: Keeper, request: MailRequest): MailResponse {
  if (request.type === "fetch") {
    const items = keeper.has.filter(({ id }) => request.places.some((place) => place.id === id));
    return { type: "mail", items: items.map((envelope) => ({ envelope, admit: null })), openings: [], deletions: [] };
  }
  if (request.type === "renew") return { type: "renewed", news: keeper.forgets ? null : keeper.news.splice(0) };
  if (request.type !== "get") return { type: "done" };
  const after = request.scope === SCOPE ? (request.boxes[0]?.after ?? 0) : 0;
  const listed = keeper.has.slice(after, after + 2);
  const list: BoxPage = {
    ...{ box: BOX, ids: listed.map(({ id }) => id), lastSeq: after + listed.length, opening: null },
    ...{ deletions: [], lastDeletion: 0, hasMore: after + listed.length < keeper.has.length },
  };
  const items = request.hasContent ? listed.map((envelope) => ({ envelope, admit: null })) : [];
  return { type: "page", scope: SCOPE, boxes: [list], items };
}

async function world({ standsIn = false, counts = (): boolean => true } = {}): Promise<CollectorWorld> {
  const node = await mailNode();
  node.relay.serve(BOX);
  const time = new VirtualTime();
  const made = (): Keeper => ({
    has: [],
    isAway: false,
    isCut: false,
    forgets: false,
    news: [],
    twist: (response): MailResponse => response,
    asked: [],
    watches: [],
  });
  const keepers = [made(), made(), made()] as const;
  const standIn = made();
  const lies: number[] = [];
  const told: string[] = [];
  const watched: string[] = [];
  const numberOf = (key: string): number => KEEPERS.findIndex((each) => each.key === key);
  const collector = new MailCollector({
    counts,
    ...{ ownKey: "00".repeat(32), relay: node.relay, store: node.store, timers: time, clock: time.clock(MAIL_START_SEC * 1_000) },
    ranks: { keepersOf: (): BoxKeepers => ({ keeping: KEEPERS.slice(0, 3), standingIn: standsIn ? KEEPERS.slice(3) : [], draining: [] }) },
    ask: async (key, request): Promise<MailResponse> => {
      const keeper = [...keepers, standIn][numberOf(key)];
      if (keeper === undefined || keeper.isAway) throw new CodedError("UPSTREAM_FAILED", "away");
      keeper.isCut = false;
      keeper.asked.push(request.type === "get" && request.hasContent ? "content" : request.type);
      if (request.type === "watch") keeper.watches.push(request.boxes);
      return keeper.twist(respond(keeper, request));
    },
    sourceOf: (): MailSource => UNKNOWN_SOURCE,
    isActive: (): boolean => true,
    toldOf: (): readonly string[] => told,
    onNews: (boxes): void => void watched.push(...boxes),
    isConnected: (key): boolean => {
      const keeper = [...keepers, standIn][numberOf(key)];
      return keeper?.isAway !== true && keeper?.isCut !== true;
    },
    onLie: (key): void => void lies.push(numberOf(key)),
    log: createLog("json", { write: () => undefined }),
  });
  return {
    ...{ node, time, collector, keepers, standIn, lies, told, watched },
    ids: () => node.store.list({ recipientPub: BOX, limit: 100 }).items.map(({ envelope }) => envelope.id),
    until: async (holds, stepMs = KEEPER_LIMITS.tickMs): Promise<void> => {
      await pollUntil(() => {
        time.advance(stepMs);
        return holds();
      });
    },
  };
}

const mail = (count: number): readonly Envelope[] => Array.from({ length: count }, () => unsealedEnvelope(BOX));

describe("reading at keepers", () => {
  it("takes envelopes from one of them, and what only others list from those", async () => {
    const { keepers, collector, until, ids } = await world();
    const [shared, rare] = [mail(5), mail(1)];
    for (const { has } of keepers) has.push(...shared);
    keepers[2].has.push(...rare);
    collector.start();
    await until(() => ids().length === 6 && keepers.every(({ asked }) => asked.includes("get") || asked.includes("content")));
    expect(ids().toSorted()).toEqual([...shared, ...rare].map(({ id }) => id).toSorted());
    expect(keepers.filter(({ asked }) => asked.includes("content"))).toHaveLength(1);
    collector.close();
  });

  it("learns of new mail by news, also after a keeper was away", async () => {
    const { keepers, collector, until, ids } = await world();
    keepers[0].isAway = true;
    collector.start();
    await until(() => keepers[1].asked.includes("watch") && keepers[2].asked.includes("watch"));
    const [first, second] = mail(2) as [Envelope, Envelope];
    for (const n of [1, 2] as const) keepers[n].has.push(first);
    for (const n of [1, 2] as const) collector.onNews(KEEPERS[n]?.key ?? "", [BOX]);
    await until(() => ids().length === 1);
    keepers[0].has.push(first, second);
    keepers[0].isAway = false;
    await until(() => ids().length === 2);
    expect(ids()).toEqual([first.id, second.id]);
    collector.close();
  });

  it("asks a keeper again whose news come no more, each ten seconds at most, however often that is said", async () => {
    const { keepers, collector, until, time } = await world();
    const watches = (): number => keepers[0].asked.filter((type) => type === "watch").length;
    keepers[0].forgets = true;
    collector.start();
    await until(() => watches() === 1);
    const [beganMs, key] = [time.nowMs, KEEPERS[0]?.key ?? ""];
    await until(() => {
      collector.renew(key);
      return watches() >= 4;
    });
    expect(time.nowMs - beganMs).toBeGreaterThanOrEqual(2 * KEEPER_LIMITS.refreshMs);
    collector.close();
  });

  it("renews what is watched by one message, which brings what was missed, and names it again to who forgot it", async () => {
    const { keepers, collector, until, ids, time } = await world();
    const [keeper] = keepers;
    const of = (...types: readonly string[]): number => keeper.asked.filter((type) => types.includes(type)).length;
    collector.start();
    await until(() => of("watch") === 1 && of("get", "content") > 0);
    const [lists, beganMs] = [of("get", "content"), time.nowMs];
    await until(() => of("renew") >= 2, STEP_MS);
    expect(time.nowMs - beganMs).toBeGreaterThanOrEqual(KEEPER_LIMITS.renewMs);
    expect([of("watch"), of("get", "content")]).toEqual([1, lists]);
    const [first, second] = mail(2) as [Envelope, Envelope];
    keeper.has.push(first);
    keeper.news.push(BOX);
    await until(() => ids().length === 1, STEP_MS);
    expect(time.nowMs - beganMs).toBeLessThan(KEEPER_LIMITS.listAgainMs);
    // Restarted, as it may be while it says nothing.
    keeper.has.push(second);
    keeper.forgets = true;
    await until(() => of("watch") >= 2 && ids().length === 2, STEP_MS);
    expect(of("watch")).toBe(2);
    collector.close();
  });

  it("renews at once where a connection has ended, and lists nothing that the keeper says is not new", async () => {
    const { keepers, collector, until, time, ids } = await world();
    const [keeper] = keepers;
    const renewals = (): number => keeper.asked.filter((type) => type === "renew").length;
    collector.start();
    await until(() => keeper.asked.includes("watch") && time.nowMs > KEEPER_LIMITS.refreshMs);
    const lists = keeper.asked.filter((type) => type === "get" || type === "content").length;
    const [sent] = mail(1) as [Envelope];
    keeper.has.push(sent);
    keeper.news.push(BOX);
    keeper.isCut = true;
    const beganMs = time.nowMs;
    await until(() => renewals() === 1 && ids().length === 1);
    expect(time.nowMs - beganMs).toBeLessThan(KEEPER_LIMITS.refreshMs);
    expect(keeper.asked.filter((type) => type === "get" || type === "content").length).toBe(lists + 1);
    collector.close();
  });

  it("names all again to a keeper of an earlier version, and lists it each hour", async () => {
    const { keepers, collector, until, time } = await world();
    const [keeper] = keepers;
    keeper.twist = (response): MailResponse => {
      if (response.type === "renewed") throw new UnknownProtocolError("an earlier version");
      return response;
    };
    const of = (...types: readonly string[]): number => keeper.asked.filter((type) => types.includes(type)).length;
    collector.start();
    await until(() => of("watch") === 1 && time.nowMs > KEEPER_LIMITS.refreshMs);
    const lists = of("get", "content");
    await until(() => of("watch") === 3, STEP_MS);
    expect([of("get", "content"), time.nowMs < KEEPER_LIMITS.listAgainMs]).toEqual([lists, true]);
    await until(() => of("get", "content") > lists, STEP_MS);
    expect(time.nowMs).toBeLessThanOrEqual(KEEPER_LIMITS.listAgainMs + 2 * STEP_MS);
    collector.close();
  });

  it("watches those that stand in only while one that keeps is away, or doubted, and lists them now and then", async () => {
    const { keepers, standIn, collector, until, time, ids } = await world({ standsIn: true });
    collector.start();
    await until(() => standIn.asked.length > 0 && time.nowMs > 2 * KEEPER_LIMITS.refreshMs);
    expect(standIn.asked).toEqual(["get"]);
    const [sent] = mail(1) as [Envelope];
    standIn.has.push(sent);
    keepers[1].isAway = true;
    collector.onNews(KEEPERS[1]?.key ?? "", [BOX]);
    await until(() => standIn.asked.includes("watch"));
    collector.onNews(KEEPERS[3]?.key ?? "", [BOX]);
    await until(() => ids().length === 1);
    collector.close();
    const doubted = await world({ standsIn: true, counts: () => false });
    doubted.collector.start();
    await doubted.until(() => doubted.standIn.asked.includes("watch"));
    doubted.collector.close();
    const quiet = await world({ standsIn: true });
    quiet.collector.start();
    await quiet.until(() => quiet.standIn.asked.length > 0);
    quiet.standIn.has.push(...mail(1));
    await quiet.until(() => quiet.ids().length === 1, 4 * STEP_MS);
    expect([quiet.time.nowMs <= KEEPER_LIMITS.listOthersMs + 8 * STEP_MS, quiet.standIn.asked.includes("watch")]).toEqual([true, false]);
    quiet.collector.close();
  });

  it("lists without a watch at keepers that have no room for one, and watches there once they do", async () => {
    const { keepers, collector, until, ids, time } = await world();
    let isFull = true;
    for (const keeper of keepers) {
      const honest = keeper.twist;
      keeper.twist = (response): MailResponse => (isFull && keeper.asked.at(-1) === "watch" ? { type: "busy" } : honest(response));
    }
    const [first, second] = mail(2) as [Envelope, Envelope];
    for (const { has } of keepers) has.push(first);
    collector.start();
    await until(() => ids().length === 1);
    let unread: ReadonlySet<string> | undefined;
    void collector.whenRead([BOX]).then((open) => {
      unread = open;
    });
    await until(() => unread !== undefined);
    expect(unread).toEqual(new Set());
    const beganMs = time.nowMs;
    for (const { has } of keepers) has.push(second);
    await until(() => ids().length === 2);
    expect(time.nowMs - beganMs).toBeLessThanOrEqual(KEEPER_LIMITS.refreshMs + 2 * KEEPER_LIMITS.tickMs);
    isFull = false;
    const watches = (): number => keepers[0].asked.filter((type) => type === "watch").length;
    await until(() => time.nowMs - beganMs >= 2.5 * KEEPER_LIMITS.refreshMs);
    const [before, lists] = [watches(), keepers[0].asked.length];
    await until(() => time.nowMs - beganMs >= 5 * KEEPER_LIMITS.refreshMs);
    expect([watches(), keepers[0].asked.length]).toEqual([before, lists]);
    collector.close();
  });

  it("asks for boxes that were opened apart from others: a keeper may have room for these alone", async () => {
    const { node, keepers, collector, until, time } = await world();
    const opened = mailboxOwner(CHAIN_ID, 78, MAIL_START_SEC);
    const opening = opened.opening(boxWriter(CHAIN_ID, 20).key, { untilSec: MAIL_START_SEC + 86_400, height: MAIL_HEIGHT });
    await node.relay.boxes.learn([opening], UNKNOWN_SOURCE);
    node.relay.serve(opened.pub);
    const [keeper] = keepers;
    const honest = keeper.twist;
    keeper.twist = (response): MailResponse =>
      keeper.asked.at(-1) === "watch" && keeper.watches.at(-1)?.includes(BOX) === true ? { type: "busy" } : honest(response);
    collector.start();
    const beganMs = time.nowMs;
    await until(() => time.nowMs - beganMs >= 2.5 * KEEPER_LIMITS.refreshMs);
    expect(keeper.watches).toEqual([[opened.pub], [BOX], [BOX], [BOX]]);
    expect(keepers[1].watches).toEqual([[opened.pub], [BOX]]);
    collector.close();
  });

  it("asks at once to be told again of a box of which news bring nothing: the keeper had no more room for the watch", async () => {
    const { keepers, collector, until, ids, time } = await world();
    const [first, second] = mail(2) as [Envelope, Envelope];
    for (const { has } of keepers) has.push(first);
    collector.start();
    const watches = (): number => keepers[0].asked.filter((type) => type === "watch").length;
    await until(() => ids().length === 1 && time.nowMs > KEEPER_LIMITS.refreshMs);
    const [before, beganMs] = [watches(), time.nowMs];
    collector.onNews(KEEPERS[0]?.key ?? "", [BOX]);
    await until(() => watches() > before);
    expect(time.nowMs - beganMs).toBeLessThanOrEqual(4 * KEEPER_LIMITS.tickMs);
    for (const { has } of keepers) has.push(second);
    for (const { key } of KEEPERS) collector.onNews(key, [BOX]);
    await until(() => ids().length === 2);
    await until(() => time.nowMs - beganMs > KEEPER_LIMITS.refreshMs);
    expect(watches()).toBe(before + 1);
    collector.close();
  });

  it("misses nothing that came before a keeper watches: after a refusal, and after a watch that was lost", async () => {
    const { keepers, collector, until, ids, time } = await world();
    const late = mail(2).slice();
    let isFull = true;
    for (const keeper of keepers)
      keeper.twist = (response): MailResponse => {
        if (keeper.asked.at(-1) !== "watch") return response;
        if (isFull) return { type: "busy" };
        // As it is asked to watch for the last time.
        for (const envelope of late.slice(0, 1)) keeper.has.push(envelope);
        return response;
      };
    collector.start();
    const asked = (type: string): number => keepers.reduce((sum, each) => sum + each.asked.filter((other) => other === type).length, 0);
    await until(() => asked("watch") >= 3 && time.nowMs > KEEPER_LIMITS.firstReadMs);
    isFull = false;
    await until(() => ids().length === 1);
    expect(time.nowMs).toBeLessThan(3 * KEEPER_LIMITS.refreshMs);
    const beganMs = time.nowMs;
    late.shift();
    for (const { key } of KEEPERS.slice(0, 3)) collector.onNews(key, [BOX]);
    await until(() => ids().length === 2);
    expect(time.nowMs - beganMs).toBeLessThan(KEEPER_LIMITS.refreshMs);
    collector.close();
  });

  it("leaves a keeper that gives a false proof, and reads the others", async () => {
    const { keepers, collector, until, ids, lies } = await world();
    const [sent] = mail(1) as [Envelope];
    for (const { has } of keepers) has.push(sent);
    const forged = { ...OWNER.deletion([sent.id], 5_000), height: 4_999 };
    keepers[1].twist = (response): MailResponse =>
      response.type === "page" ? { ...response, boxes: response.boxes.map((list) => ({ ...list, deletions: [forged] })) } : response;
    collector.start();
    await until(() => ids().length === 1 && lies.length > 0);
    expect([ids(), new Set(lies)]).toEqual([[sent.id], new Set([1])]);
    collector.close();
  });

  it("tells a keeper what its owner deleted, and takes nothing of that back", async () => {
    const { node, keepers, collector, until, ids } = await world();
    const [kept, deleted] = mail(2) as [Envelope, Envelope];
    await node.relay.receive([deleted]);
    await node.relay.deletions.take(OWNER.deletion([deleted.id], node.height ?? 0));
    for (const { has } of keepers) has.push(deleted, kept);
    collector.start();
    await until(() => ids().length > 0 && keepers.every(({ asked }) => asked.includes("delete")));
    expect(ids()).toEqual([kept.id]);
    collector.close();
  });

  it("says when enough keepers of a box were read, and waits for that once", async () => {
    const { keepers, collector, until, time } = await world();
    keepers[0].isAway = true;
    keepers[1].isAway = true;
    expect(collector.follows(BOX)).toBe(false);
    collector.start();
    let unread: ReadonlySet<string> | undefined;
    const ask = async (): Promise<void> => {
      unread = await collector.whenRead([BOX]);
    };
    void ask();
    await until(() => unread !== undefined);
    expect([...(unread ?? [])]).toEqual([BOX]);
    expect([BOX, "cd".repeat(32)].map((box) => collector.follows(box))).toEqual([true, false]);
    expect(time.nowMs).toBeGreaterThanOrEqual(KEEPER_LIMITS.firstReadMs);
    const sinceMs = time.nowMs;
    await ask();
    expect([unread?.size, time.nowMs]).toEqual([1, sinceMs]);
    keepers[0].isAway = false;
    await until(() => {
      void ask();
      return unread?.size === 0;
    });
    collector.close();
  });

  it("is told of news in boxes that are not read here, as long as they are named", async () => {
    const { keepers, collector, until, told, watched } = await world();
    const other = "ab".repeat(32);
    told.push(other);
    collector.start();
    await until(() => watched.includes(other) && keepers.every(({ asked }) => asked.includes("watch")));
    watched.length = 0;
    collector.onNews(KEEPERS[0]?.key ?? "", [other, "cd".repeat(32)]);
    expect(watched).toEqual([other]);
    told.length = 0;
    watched.length = 0;
    collector.refresh();
    await until(() => {
      watched.length = 0;
      collector.onNews(KEEPERS[0]?.key ?? "", [other]);
      return watched.length === 0;
    });
    collector.close();
  });

  it("ends with a keeper whose pages lead nowhere", async () => {
    const { keepers, collector, until, ids } = await world();
    for (const { has } of keepers) has.push(...mail(1));
    keepers[0].twist = (response): MailResponse =>
      response.type === "page"
        ? { ...response, items: [], boxes: response.boxes.map((list) => ({ ...list, ids: [], lastSeq: 0, hasMore: true })) }
        : response;
    collector.start();
    await until(() => ids().length === 2);
    const { length } = keepers[0].asked;
    expect(length).toBeLessThan(10);
    collector.close();
  });
});
