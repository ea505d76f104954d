// A node behind carriers, and what those can do to it, or others to them: keepers see carriers alone, a carrier that alters, withholds or
// repeats delays and loses nothing, and no one has a carrier work without bounds.
import { describe, expect, it } from "vitest";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { CARRY_LIMITS } from "#node/relay/keepers/carry/carry-limits.ts";
import { sealRequest } from "#node/relay/keepers/carry/carry-seal.ts";
import { countReaders } from "#node/relay/keepers/carry/mail-carriers.ts";
import type { CarryOutcome, CarryRequest } from "#shared/protocol/mail/carry-messages.ts";
import type { MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { directoryOf, keeperOf } from "#test/support/nodes/mail-keepers.ts";
import { ASKER, carryWorld, type Interfere } from "#test/support/worlds/carry-world.ts";
import { actor, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const boxOf = (n: number): string => n.toString(16).padStart(64, "0");
const get = (...boxes: readonly number[]): Extract<Parameters<ReturnType<typeof carryWorld>["ask"]>[1], { type: "get" }> => ({
  type: "get",
  scope: null,
  boxes: boxes.map((n) => ({ box: boxOf(n), after: 0, afterDeletion: 0 })),
  hasContent: false,
});
const SCOPE = "cd".repeat(16);
const NAME = peerNameOf(actor(ASKER).pub);
/** A world whose keepers list every box as empty. */
function listingWorld(...options: Parameters<typeof carryWorld>): ReturnType<typeof carryWorld> {
  const world = carryWorld(...options);
  world.respond = (_, request): MailResponse | undefined => {
    if (request.type !== "get") return { type: "done" };
    const boxes = request.boxes.map(({ box }) => ({
      box,
      ids: [],
      lastSeq: 7,
      opening: null,
      deletions: [],
      lastDeletion: 0,
      hasMore: false,
    }));
    return { type: "page", scope: SCOPE, boxes, items: [] };
  };
  return world;
}

describe("a node that asks through carriers", () => {
  it("asks each box by itself, by one of four others, which the keeper sees in its place", async () => {
    const world = listingWorld();
    const boxes = Array.from({ length: 40 }, (_, n) => n + 1);
    const page = await world.ask(30, get(...boxes));
    expect(page.type === "page" && page.boxes.map(({ box }) => box)).toEqual(boxes.map(boxOf));
    expect(world.asked.every(({ request }) => request.type === "get" && request.boxes.length === 1)).toBe(true);
    const by = new Set(world.asked.map((each) => each.by));
    expect([world.asked.length, by.size <= 4 && by.size > 1, by.has(ASKER), by.has(30)]).toEqual([40, true, false, false]);
    // Both sides count it.
    const carried = world.members.map((n) => world.nodeOf(n).figures);
    const { asked } = world.asker.figures;
    expect([carried.reduce((sum, { carried: { answered } }) => sum + answered, 0), asked]).toEqual([40, { answered: 40, failed: 0 }]);
    expect(carried.filter(({ bytes }) => bytes > 0)).toHaveLength(by.size);
    // The same ones for another request.
    const again = world.asked.map((each) => each.by);
    world.asked.length = 0;
    await world.ask(30, get(...boxes));
    expect(world.asked.map((each) => each.by)).toEqual(again);
  });

  it("asks the three keepers of a box by three carriers, so that none sees which three they are", async () => {
    const world = listingWorld({ members: 60 });
    const circle = new Set<number>();
    for (let n = 1; n <= 30; n += 1) {
      const { keeping = [], standingIn = [], draining = [] } = world.ranks.keepersOf(boxOf(n)) ?? {};
      world.asked.length = 0;
      for (const { key } of [...keeping, ...standingIn]) await world.ask(world.numberOf(key), get(n));
      const by = world.asked.map((each) => each.by);
      const keys = [...keeping, ...standingIn, ...draining].map(({ key }) => world.numberOf(key));
      for (const carrier of by) circle.add(carrier);
      const others = [...new Set(by)].filter((carrier) => !keys.includes(carrier)).length;
      expect(new Set(by.slice(0, 3)).size).toBe(Math.min(3, others));
      expect(Math.max(...by.map((carrier) => by.filter((other) => other === carrier).length))).toBe(Math.ceil(6 / others));
    }
    // No further carriers for it.
    expect(circle.size).toBe(4);
  });

  it("asks directly where the directory has too few members, where many read, where it is not wanted, and what keepers ask each other", async () => {
    const isDirect = async (world: ReturnType<typeof carryWorld>): Promise<boolean> => {
      await world.ask(30, get(1));
      return world.asked.at(-1)?.isDirect === true;
    };
    const worlds = [listingWorld({ members: 7 }), listingWorld({ isWanted: false }), listingWorld({ members: 8 }), listingWorld()];
    worlds[3]?.readers.push(...Array.from({ length: 19 }, (_, n) => boxOf(n)));
    expect(await Promise.all(worlds.map(isDirect))).toEqual([true, true, false, true]);
    const world = carryWorld();
    await world.ask(30, { type: "digest", slots: [1] });
    expect(world.asked.at(-1)).toMatchObject({ isDirect: true, by: ASKER });
    expect(countReaders([boxOf(1), boxOf(2), boxOf(3)], (box) => box === boxOf(2), 20)).toBe(2);
  });

  it("leaves out those that do not carry, and asks a keeper that takes nothing through carriers not at all", async () => {
    const world = listingWorld({ members: 12, older: [31, 32, 33, 34, 35, 36, 41] });
    for (let n = 0; n < 30; n += 1) await world.ask(30, get(n)).catch(() => undefined);
    world.asked.length = 0;
    for (let n = 0; n < 30; n += 1) await world.ask(30, get(n));
    expect(world.asked.filter(({ isDirect, by }) => isDirect || (by >= 31 && by <= 36) || by === 41)).toEqual([]);
    world.asked.length = 0;
    for (let n = 0; n < 9; n += 1) await expect(world.ask(41, get(1))).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    expect(world.asked).toEqual([]);
  });

  it("asks no one directly who is no keeper any more, or to whom nothing can be sealed", async () => {
    const world = listingWorld();
    await expect(world.ask(9, get(1))).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    const now = world.directory.currentDirectory()?.directory as NonNullable<
      ReturnType<typeof world.directory.currentDirectory>
    >["directory"];
    world.directory.give({ ...now, keepers: now.keepers.map((keeper) => ({ ...keeper, x25519: "00".repeat(32) })) });
    await expect(world.ask(30, get(1))).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    expect(world.asked).toEqual([]);
  });

  it("asks through carriers what it forgets, which members ask each other directly", async () => {
    const world = listingWorld();
    const { signal } = new AbortController();
    for (const node of [ASKER, 31]) await world.nodeOf(node).mail.askAsMember(actor(30).pub, get(1), signal);
    expect(world.asked.map(({ isDirect, by }) => [isDirect, by === ASKER, by === 31])).toEqual([
      [false, false, expect.any(Boolean)],
      [true, false, true],
    ]);
  });

  it("has a keeper end the watch that it asked for itself, once carriers are used", async () => {
    const world = listingWorld();
    const many = Array.from({ length: 19 }, (_, n) => boxOf(n));
    world.readers.push(...many);
    const watch = { type: "watch", boxes: [boxOf(1)], isMore: false } as const;
    await world.ask(30, watch);
    world.readers.splice(0, many.length);
    world.time.advance(CARRY_LIMITS.countMs);
    await world.ask(30, watch);
    await world.ask(30, { ...watch, boxes: [boxOf(2)] });
    const direct = world.asked.flatMap(({ isDirect, request }) => (isDirect && request.type === "watch" ? [request.boxes.length] : []));
    expect([direct, world.asker.mail.watched]).toEqual([[1, 0], 1]);
  });

  it("has it end that watch once they are connected again, as the keeper remembers it for a while, and connects for nothing", async () => {
    const world = listingWorld();
    const many = Array.from({ length: 19 }, (_, n) => boxOf(n));
    world.readers.push(...many);
    const watch = { type: "watch", boxes: [boxOf(1)], isMore: false } as const;
    await world.ask(30, watch);
    world.readers.splice(0, many.length);
    world.time.advance(CARRY_LIMITS.countMs);
    const direct = (): number[] =>
      world.asked.flatMap(({ isDirect, request }) => (isDirect && request.type === "watch" ? [request.boxes.length] : []));
    world.away.add(peerNameOf(actor(30).pub));
    await world.ask(30, { ...watch, boxes: [boxOf(2)] });
    expect(direct()).toEqual([1]);
    world.away.clear();
    // Nothing of it is to be renewed yet.
    for (let n = 0; n < 2; n += 1) await world.ask(30, { ...watch, boxes: [boxOf(2)] });
    expect(direct()).toEqual([1, 0]);
  });

  it("goes over to another carrier where one is gone, tells no keeper who it is, and comes back to the one that works again", async () => {
    const world = listingWorld();
    const before = await world.carrierOf(30, boxOf(1));
    world.interfere = (_, { to }): ReturnType<Interfere> => (to === before ? Promise.reject(new Error("gone")) : undefined);
    const other = await world.carrierOf(30, boxOf(1));
    expect([other === before, world.asked.some(({ isDirect }) => isDirect)]).toEqual([false, false]);
    world.interfere = (): ReturnType<Interfere> => undefined;
    expect(await world.carrierOf(30, boxOf(1))).toBe(other);
    world.time.advance(CARRY_LIMITS.pauseMs);
    expect(await world.carrierOf(30, boxOf(1))).toBe(before);
  });

  it("fails rather than asks directly where no carrier responds", async () => {
    const world = listingWorld();
    world.interfere = (_, { from }): ReturnType<Interfere> => (from === ASKER ? Promise.reject(new Error("gone")) : undefined);
    for (let n = 0; n < 20; n += 1) await expect(world.ask(30, get(n))).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    expect(world.asked).toEqual([]);
    // All are asked again, none is given up for good.
    world.interfere = (): ReturnType<Interfere> => undefined;
    expect((await world.ask(30, get(1))).type).toBe("page");
  });

  it("passes on what some carriers brought, and says of the rest that more follows", async () => {
    const world = listingWorld();
    const carrier = await world.carrierOf(30, boxOf(1));
    // From the third box on none responds.
    world.interfere = (_, { from }): Promise<CarryOutcome> | undefined =>
      from === ASKER && world.asked.length > 1 ? Promise.reject(new Error("gone")) : undefined;
    world.asked.length = 0;
    const page = await world.ask(30, get(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    const more = page.type === "page" ? page.boxes.filter(({ hasMore }) => hasMore).map(({ box, lastSeq }) => [box, lastSeq]) : [];
    expect([carrier > 0, page.type === "page" && page.boxes.length, more.length]).toEqual([true, 10, 8]);
    expect(more).toEqual([3, 4, 5, 6, 7, 8, 9, 10].map((n) => [boxOf(n), 0]));
  });
});

it("gives a keeper with each box only names of runs that came with this box, by which it cannot tell which boxes belong together", async () => {
  const world = listingWorld();
  let run = 0;
  const scopes: string[] = [];
  world.respond = (_, request): MailResponse | undefined => {
    if (request.type !== "get") return { type: "done" };
    scopes.push(`${request.boxes[0]?.box.at(-1)} ${request.scope} ${request.boxes[0]?.after}`);
    run += 1;
    const boxes = request.boxes.map(({ box }) => ({
      box,
      ids: [],
      lastSeq: run,
      opening: null,
      deletions: [],
      lastDeletion: 0,
      hasMore: false,
    }));
    return { type: "page", scope: `${run}`.repeat(32), boxes, items: [] };
  };
  const ask = async (scope: string | null, after: number, ...boxes: readonly number[]): Promise<void> => {
    await world.ask(30, { ...get(...boxes), scope, boxes: boxes.map((n) => ({ box: boxOf(n), after, afterDeletion: 0 })) });
  };
  await ask(null, 0, 1);
  await ask("1".repeat(32), 1, 1, 2);
  await ask("2".repeat(32), 2, 1, 2);
  expect(scopes).toEqual(["1 null 0", `1 ${"1".repeat(32)} 1`, "2 null 0", `1 ${"2".repeat(32)} 2`, "2 null 0"]);
});

describe("a hostile carrier", () => {
  type Spoil = (answer: Extract<CarryOutcome, { readonly type: "sealed" }>) => CarryOutcome;
  const flipped = (bytes: Uint8Array, at: number): Uint8Array => bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
  const spoils: readonly (readonly [string, Spoil])[] = [
    ["alters the answer", ({ sealed }): CarryOutcome => ({ type: "sealed", sealed: flipped(sealed, 40) })],
    ["cuts it off", ({ sealed }): CarryOutcome => ({ type: "sealed", sealed: sealed.subarray(0, 500) })],
    ["gives a giant one", (): CarryOutcome => ({ type: "sealed", sealed: new Uint8Array(NETWORK_LIMITS.carryItems.sealedBytes) })],
    ["gives none", (): CarryOutcome => ({ type: "sealed", sealed: new Uint8Array() })],
    ["gives another kind", (): CarryOutcome => ({ type: "done" })],
    ["says that the keeper is away", (): CarryOutcome => ({ type: "refused", why: "unreachable" })],
    ["says that the keeper is of an earlier version", (): CarryOutcome => ({ type: "refused", why: "unknown" })],
  ];

  it.each(spoils)("%s: another one brings the true answer, and it comes last for a while", async (_, spoil) => {
    const world = listingWorld();
    const hostile = await world.carrierOf(30, boxOf(1));
    world.interfere = (request, { to }, pass): ReturnType<Interfere> =>
      to === hostile && request.type === "pass"
        ? pass(request).then((outcome): CarryOutcome => (outcome.type === "sealed" ? spoil(outcome) : outcome))
        : undefined;
    const page = await world.ask(30, get(1));
    expect(page).toMatchObject({ type: "page", boxes: [{ box: boxOf(1), lastSeq: 7 }] });
    world.interfere = (): ReturnType<Interfere> => undefined;
    expect([(await world.carrierOf(30, boxOf(1))) === hostile, world.asked.some(({ isDirect }) => isDirect)]).toEqual([false, false]);
  });

  it.each(["unknown", "unreachable", "busy"] as const)(
    "lies with another one that a keeper is %s: they hold up one request, and others are asked",
    async (why) => {
      const world = listingWorld();
      const asked: number[] = [];
      world.interfere = (request, { to }): ReturnType<Interfere> => {
        if (request.type !== "pass") return undefined;
        asked.push(to);
        return Promise.resolve({ type: "refused", why });
      };
      await expect(world.ask(30, get(1))).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
      const liars = new Set(asked);
      world.interfere = (request, { to }): ReturnType<Interfere> =>
        request.type === "pass" && liars.has(to) ? Promise.resolve({ type: "refused", why }) : undefined;
      expect([liars.size, (await world.ask(30, get(1))).type]).toEqual([CARRY_LIMITS.tries, "page"]);
      expect(world.asked.map(({ isDirect, by }) => isDirect || liars.has(by))).toEqual([false]);
    },
  );

  it("swaps answers of two requests, or repeats an old one, and is not believed", async () => {
    const world = listingWorld();
    const hostile = await world.carrierOf(30, boxOf(1));
    let old: CarryOutcome | undefined;
    world.interfere = (request, { to }, pass): ReturnType<Interfere> => {
      if (to !== hostile || request.type !== "pass") return undefined;
      return pass(request).then((outcome): CarryOutcome => {
        const before = old ?? outcome;
        old = outcome;
        return before;
      });
    };
    await world.ask(30, get(1));
    expect(await world.ask(30, get(1))).toMatchObject({ type: "page", boxes: [{ box: boxOf(1) }] });
    expect(await world.carrierOf(30, boxOf(1))).not.toBe(hostile);
  });

  it("alters a request, or passes it to another keeper, and reaches nothing", async () => {
    const world = listingWorld();
    const hostile = await world.carrierOf(30, boxOf(1));
    world.asked.length = 0;
    const other = world.members.find((n) => n !== 30 && n !== hostile) ?? 0;
    for (const change of [
      (request: CarryRequest, pass: (request: CarryRequest) => Promise<CarryOutcome>): Promise<CarryOutcome> =>
        pass(request.type === "open" ? { ...request, sealed: flipped(request.sealed, 60) } : request),
      (request: CarryRequest): Promise<CarryOutcome> =>
        world.nodeOf(other).respond(request, peerNameOf(actor(hostile).pub)) as Promise<CarryOutcome>,
    ]) {
      world.time.advance(CARRY_LIMITS.lastPauseMs);
      world.interfere = (request, { from }, pass): ReturnType<Interfere> =>
        from === hostile && request.type === "open" ? change(request, pass) : undefined;
      expect((await world.ask(30, get(1))).type).toBe("page");
    }
    expect(world.asked.filter(({ by, node }) => by === hostile || node !== 30)).toEqual([]);
  });

  it("repeats a request: it is answered under another key, to no use, and hours later refused", async () => {
    const world = listingWorld();
    const hostile = await world.carrierOf(30, boxOf(1));
    let open: CarryRequest | undefined;
    world.interfere = (request, { from }): ReturnType<Interfere> => {
      if (from === hostile && request.type === "open") open = request;
      return undefined;
    };
    await world.ask(30, get(1));
    const repeat = (): ReturnType<ReturnType<typeof carryWorld>["asker"]["respond"]> =>
      world.nodeOf(30).respond(open as CarryRequest, peerNameOf(actor(hostile).pub));
    const [first, second] = [await repeat(), await repeat()];
    expect([first?.type, second?.type]).toEqual(["sealed", "sealed"]);
    expect(first).not.toEqual(second);
    const seen = world.asked.length;
    const now = world.directory.currentDirectory()?.directory;
    world.directory.give({ ...(now as NonNullable<typeof now>), epoch: (now?.epoch ?? 0) + 2 });
    expect([(await repeat())?.type, world.asked.length]).toEqual(["sealed", seen]);
    // From who is no member nothing is taken.
    expect(await world.nodeOf(30).respond(open as CarryRequest, NAME)).toEqual({ type: "refused", why: "unknown" });
  });
});

describe("a hostile asker", () => {
  it("has a carrier pass on so many requests at once, and so many in a while; others have their own", async () => {
    const world = listingWorld();
    const carrier = world.nodeOf(31);
    const { pub: key } = actor(30);
    const sealed = new Uint8Array(1_072);
    const ask = (name = NAME, keeper = key): ReturnType<typeof carrier.respond> =>
      carrier.respond({ type: "pass", keeper, token: null, sealed }, name);
    const gates: (() => void)[] = [];
    world.interfere = (_, __, pass): ReturnType<Interfere> =>
      new Promise<void>((resolve) => gates.push(resolve)).then(() => pass({ type: "open", sealed }));
    const many = Array.from({ length: CARRY_LIMITS.passingByNode + 5 }, () => ask());
    await new Promise(setImmediate);
    expect(gates.length).toBe(CARRY_LIMITS.passingByNode);
    const other = ask("another");
    await new Promise(setImmediate);
    expect(gates.length).toBe(CARRY_LIMITS.passingByNode + 1);
    for (const open of gates) open();
    const responses = await Promise.all([...many, other]);
    expect(responses.filter((response) => response?.type === "refused" && response.why === "busy").length).toBe(5);
    // In a while.
    world.interfere = (): ReturnType<Interfere> => Promise.resolve({ type: "refused", why: "unknown" });
    let passed = 0;
    for (let n = 0; n < 2_000; n += 1) {
      const response = await ask();
      if (response?.type === "refused" && response.why === "unknown") passed += 1;
    }
    expect(passed).toBe(NETWORK_LIMITS.carryPassing.party.burst - CARRY_LIMITS.passingByNode);
    expect(await ask("another")).toEqual({ type: "refused", why: "unknown" });
    // Nothing is passed on to who is no member, or to itself.
    expect(await ask("another", actor(9).pub)).toEqual({ type: "refused", why: "unreachable" });
    expect(await ask("another", actor(31).pub)).toEqual({ type: "refused", why: "unreachable" });
  });

  it("owes the bytes of answers: little is passed on for who asks for much", async () => {
    const world = listingWorld();
    const sealed = new Uint8Array(NETWORK_LIMITS.carryItems.sealedBytes);
    let opened = 0;
    world.interfere = (): ReturnType<Interfere> => {
      opened += 1;
      return Promise.resolve({ type: "sealed", sealed });
    };
    const ask = (name: string): ReturnType<ReturnType<typeof world.nodeOf>["respond"]> =>
      world.nodeOf(31).respond({ type: "pass", keeper: actor(30).pub, token: null, sealed: new Uint8Array(1_072) }, name);
    const most = NETWORK_LIMITS.carryBytes.party.burst / 2 ** 20;
    for (let n = 0; n < 2 * most; n += 1) await ask(NAME);
    expect([opened, (await ask("another"))?.type]).toEqual([most, "sealed"]);
  });

  it("has a carrier pass on so many bytes on a day, and others their own; a day later again", async () => {
    const world = listingWorld();
    const carrier = world.nodeOf(31);
    const sealed = new Uint8Array(NETWORK_LIMITS.carryItems.sealedBytes);
    world.interfere = (): ReturnType<Interfere> => Promise.resolve({ type: "refused", why: "unknown" });
    const ask = async (name: string): Promise<string> => {
      // As slowly as the rates of a second allow.
      world.time.advance(3_000);
      const response = await carrier.respond({ type: "pass", keeper: actor(30).pub, token: null, sealed }, name);
      return response?.type === "refused" ? response.why : "";
    };
    let passed = 0;
    while ((await ask(NAME)) === "unknown") passed += 1;
    expect(passed).toBe(Math.floor(CARRY_LIMITS.dayBytes / sealed.length));
    expect([await ask(NAME), await ask("another")]).toEqual(["busy", "unknown"]);
    world.time.advance(86_400_000);
    expect(await ask(NAME)).toBe("unknown");
  });

  it("sends a keeper what does not open, or what only keepers ask, and no carrier is blamed", async () => {
    const world = listingWorld();
    const carrier = peerNameOf(actor(31).pub);
    const respond = (sealed: Uint8Array): ReturnType<ReturnType<typeof world.nodeOf>["respond"]> =>
      world.nodeOf(30).respond({ type: "open", sealed }, carrier);
    const { x25519 } = keeperOf(30, "");
    const garbage = sealRequest({ chainId: CHAIN_ID, key: actor(30).pub, x25519 }, new Uint8Array(50).fill(1), () =>
      new Uint8Array(32).fill(1),
    );
    expect([await respond(new Uint8Array(1_072)), await respond(new Uint8Array(3)), await respond(garbage.sealed)]).toEqual(
      [1, 2, 3].map(() => ({ type: "refused", why: "unknown" })),
    );
    world.respond = (): undefined => undefined;
    await expect(world.ask(30, get(1))).resolves.toEqual({ type: "busy" });
    expect(world.asked.length).toBe(1);
  });
});

describe("what is watched through carriers", () => {
  const watch = (...boxes: readonly number[]): { type: "watch"; boxes: readonly string[]; isMore: boolean } => ({
    type: "watch",
    boxes: boxes.map(boxOf),
    isMore: false,
  });

  it("tells of each box by itself, and of who types, what no carrier can read or repeat", async () => {
    const world = listingWorld();
    const seen: CarryRequest[] = [];
    world.interfere = (request): ReturnType<Interfere> => {
      if (request.type === "news") seen.push(request);
      return undefined;
    };
    expect(await world.ask(30, watch(1, 2))).toEqual({ type: "done" });
    expect([world.asker.mail.watched, world.nodeOf(30).watches.size, world.asker.mail.isConnected(actor(30).pub)]).toEqual([2, 2, true]);
    world.nodeOf(30).watches.note(boxOf(2));
    await new Promise(setImmediate);
    expect(world.told).toEqual([{ keeper: actor(30).pub, request: { type: "news", boxes: [boxOf(2)] } }]);
    const [name = ""] = world.nodeOf(30).watches.of(boxOf(1), 9);
    await world.nodeOf(30).watches.tell(name, { type: "typing", to: boxOf(1), from: boxOf(5), isNews: true });
    expect(world.told.at(-1)?.request).toMatchObject({ type: "typing", from: boxOf(5) });
    // Of another box, or as no keeper tells: not believed.
    await world.nodeOf(30).watches.tell(name, { type: "news", boxes: [boxOf(2)] });
    await world.nodeOf(30).watches.tell(name, { type: "typing", to: boxOf(1), from: boxOf(5), isNews: false });
    const carrier = name.split(" ")[0] ?? "";
    for (const news of seen) await world.asker.respond(news, carrier);
    await world.asker.respond(seen[0] as CarryRequest, "another");
    expect(world.told.length).toBe(2);
    const text = seen.map((news) => Buffer.from(news.type === "news" ? news.sealed : []).toString("hex")).join("");
    expect([
      text.includes(boxOf(1)),
      text.includes(boxOf(2)),
      new Set(seen.map((news) => news.type === "news" && news.sealed.length)).size,
    ]).toEqual([false, false, 1]);
  });

  it("is not asked for again while it lasts, and is once its carrier is gone or lost the keeper", async () => {
    const world = listingWorld();
    let passes = 0;
    world.interfere = (request): ReturnType<Interfere> => {
      if (request.type === "pass") passes += 1;
      return undefined;
    };
    await world.ask(30, watch(1, 2, 3));
    await world.ask(30, watch(1, 2, 3));
    expect(passes).toBe(3);
    world.time.advance(CARRY_LIMITS.renewMs);
    await world.ask(30, watch(1, 2, 3));
    expect([passes, world.asker.mail.watched, world.nodeOf(30).watches.size]).toEqual([6, 3, 6]);
    // The carriers' connection to the keeper ends.
    const carrier = world.numberOf(actor(await world.carrierOf(30, boxOf(1))).pub);
    world.nodeOf(carrier).keep((peer) => peer === NAME);
    await new Promise(setImmediate);
    // One that has just come may not have said yet who it is.
    expect([world.gone.length, world.nodeOf(carrier).tokens > 0]).toEqual([0, true]);
    world.nodeOf(carrier).keep((peer) => peer === NAME);
    await new Promise(setImmediate);
    expect([world.gone, world.asker.mail.watched < 3, world.nodeOf(carrier).tokens]).toEqual([[actor(30).pub], true, 0]);
    await world.ask(30, watch(1, 2, 3));
    expect(world.asker.mail.watched).toBe(3);
    // What was replaced is over after an hour, and what the asker went away from at once.
    world.time.advance(CARRY_LIMITS.watchMs);
    for (const n of [30, ...world.members]) world.nodeOf(n).keep(() => true);
    expect([world.nodeOf(30).watches.size, world.members.reduce((sum, n) => sum + world.nodeOf(n).tokens, 0)]).toEqual([0, 0]);
  });

  it("goes through another carrier when one says at once that its way has ended", async () => {
    const world = listingWorld();
    await world.ask(30, watch(1));
    const watchesOf = (): readonly string[] => world.nodeOf(30).watches.of(boxOf(1), 9);
    const carrierOf = (name: string): string => world.nodeOf(30).watches.find(name)?.carrier ?? "";
    const { carrier = "", token = "" } = world.nodeOf(30).watches.find(watchesOf()[0] ?? "") ?? {};
    await world.asker.respond({ type: "gone", tokens: [token] }, carrier);
    await world.ask(30, watch(1));
    expect([world.gone, watchesOf().filter((name) => carrierOf(name) === carrier).length, watchesOf().length]).toEqual([
      [actor(30).pub],
      1,
      2,
    ]);
  });

  it("is listed again where the connection to its carrier has ended, which is looked at once a second", async () => {
    const world = listingWorld();
    await world.ask(30, watch(1));
    const { pub } = actor(30);
    expect(world.asker.mail.isConnected(pub)).toBe(true);
    const { watches } = world.nodeOf(30);
    const { carrier = "" } = watches.find(watches.of(boxOf(1), 1)[0] ?? "") ?? {};
    world.away.add(carrier);
    expect([carrier === "", world.asker.mail.isConnected(pub)]).toEqual([false, true]);
    world.time.advance(CARRY_LIMITS.lookMs);
    // Then the keeper itself counts, to which nothing was asked directly.
    expect([world.asker.mail.isConnected(pub), world.asker.mail.watched]).toEqual([false, 0]);
  });

  it("goes through another carrier where the keeper has no more room for the first", async () => {
    const world = listingWorld();
    const full = await world.carrierOf(30, boxOf(1));
    const { watches } = world.nodeOf(30);
    const { exchange } = sealRequest({ chainId: CHAIN_ID, key: actor(30).pub, x25519: keeperOf(30, "").x25519 }, new Uint8Array(9), (n) =>
      new Uint8Array(n).fill(1),
    );
    for (let n = 0; n < CARRY_LIMITS.watchesByCarrier; n += 1)
      watches.add(peerNameOf(actor(full).pub), n.toString(16).padStart(32, "0"), boxOf(100 + n), exchange);
    expect(await world.ask(30, watch(1))).toEqual({ type: "done" });
    expect(watches.of(boxOf(1), 9).map((name) => watches.find(name)?.carrier === peerNameOf(actor(full).pub))).toEqual([false]);
  });

  it("is bounded at carriers", async () => {
    const world = listingWorld();
    const carrier = world.nodeOf(31);
    const { tokensByNode, tokensAtKeeper } = CARRY_LIMITS;
    const sealed = new Uint8Array(0);
    world.interfere = (): ReturnType<Interfere> => Promise.resolve({ type: "sealed", sealed });
    const keeperOfToken = (n: number): number => (n < tokensAtKeeper ? 30 : 32 + (n % 8));
    const pass = (n: number, keeper = keeperOfToken(n)): ReturnType<typeof carrier.respond> =>
      carrier.respond({ type: "pass", keeper: actor(keeper).pub, token: n.toString(16).padStart(32, "0"), sealed }, NAME);
    for (let n = 0; n < tokensByNode + 2; n += 1) {
      world.time.advance(40);
      await pass(n);
    }
    expect([carrier.tokens, await pass(tokensByNode + 9)]).toEqual([tokensByNode, { type: "refused", why: "busy" }]);
    // Those at one keeper.
    carrier.keep(() => true);
    world.time.advance(CARRY_LIMITS.watchMs);
    carrier.keep(() => true);
    for (let n = 0; n < tokensAtKeeper + 2; n += 1) {
      world.time.advance(40);
      await pass(n, 30);
    }
    expect([carrier.tokens, (await pass(tokensAtKeeper + 9, 32))?.type]).toEqual([tokensAtKeeper, "sealed"]);
    // A token of another one is not given away.
    const stolen = { type: "pass", keeper: actor(30).pub, token: (5).toString(16).padStart(32, "0"), sealed } as const;
    expect(await carrier.respond(stolen, "another")).toEqual({ type: "refused", why: "busy" });
  });
});

it("chooses by the directory of the month: a new month brings other carriers", async () => {
  const world = listingWorld({ members: 24 });
  const before = await world.carrierOf(30, boxOf(1));
  const now = world.directory.currentDirectory()?.directory;
  const later = directoryOf(now?.keepers ?? [], (now?.beganS ?? 0) + 31 * 86_400);
  world.directory.give(later, now);
  world.time.advance(32 * 86_400_000);
  expect(await world.carrierOf(30, boxOf(1))).not.toBe(before);
});
