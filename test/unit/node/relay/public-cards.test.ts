// Public cards at nodes: what is held is of the present, genuine, of a listed device, and the newest; who reads finds it wherever one is honest.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { mailRequestCodec, mailResponseCodec } from "#node/network/wire/mail-codec.ts";
import { createLog } from "#node/observability/log.ts";
import {
  CARD_MEMORY_MS,
  CARDS_AT_ONCE,
  CardExchange,
  type CardExchangeDependencies,
  type CardPlaces,
} from "#node/relay/keepers/card-exchange.ts";
import { type NewestTime, PUBLIC_CARD_BOUNDS, PublicCards } from "#node/relay/owners/public-cards.ts";
import {
  hasPublicCards,
  openPublicCardStore,
  PUBLIC_CARDS_DATABASE,
  PUBLIC_CARDS_FILE,
  type PublicCardStore,
} from "#node/storage/messages/public-card-store.ts";
import { decode, encode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type CardSource, publicCardOf } from "#test/support/worlds/public-card-of.ts";

const CHAIN = "parley-test";
const HOUR = 3_600_000;
const NOON = 500_000 * HOUR;
const MASTER = new Uint8Array(32).fill(7);
const OTHER = new Uint8Array(32).fill(8);
const DEVICE = "ab".repeat(32);
const LOG = createLog("json", { write: () => undefined });

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
let timeMs: number;
let verified = 0;
const verify = createNativeVerifier();
let listed: Set<string>;
const opened: PublicCards[] = [];

const person = (master: Uint8Array): string => toHex(ed25519PublicKey(master));
const OWNER = { person: person(MASTER), device: DEVICE };
const hexOf = (card: Uint8Array | undefined): string | undefined => card && toHex(card);
const cardOf = (changes: Partial<CardSource> = {}): Uint8Array =>
  publicCardOf({ chainId: CHAIN, device: DEVICE, master: MASTER, number: 500_000, height: 1_000, ...changes });

beforeEach(async () => {
  folder = await createTemporaryFolder();
  timeMs = NOON;
  listed = new Set([`${person(MASTER)} ${DEVICE}`]);
});

afterEach(async () => {
  for (const cards of opened.splice(0)) cards.close();
  await folder.remove();
});

function cardsIn(name = "", bounds = PUBLIC_CARD_BOUNDS): PublicCards {
  const path = join(folder.path, name);
  mkdirSync(path, { recursive: true });
  const cards = new PublicCards({
    chainId: CHAIN,
    open: (): PublicCardStore => openPublicCardStore(path, bounds),
    isThere: hasPublicCards(path),
    verify: (...input): boolean => {
      verified += 1;
      return verify(...input);
    },
    newest: (): NewestTime => ({ height: 1_000, timeMs }),
    isListed: (who, device): boolean => listed.has(`${who} ${device}`),
  });
  opened.push(cards);
  return cards;
}

/** A node without others. */
function aloneWith(cards: CardExchangeDependencies["cards"], monotonicMs: () => number = (): number => 0): CardExchange {
  const places = { groups: [], copies: 1, isOwn: true };
  return new CardExchange({
    cards,
    placesOf: () => ({ write: places, read: places }),
    mayHold: () => Promise.resolve(true),
    epoch: () => 9,
    ask: () => Promise.reject(new Error("asks no one")),
    onLie: () => undefined,
    clock: { monotonicMs },
    log: LOG,
  });
}

describe("a node", () => {
  it("holds the newest card of a device, over a restart, for seven days of block time", async () => {
    const cards = cardsIn();
    expect(hasPublicCards(folder.path)).toBe(false);
    expect([await cards.take(DEVICE, cardOf()), await cards.take(DEVICE, cardOf())]).toEqual(["taken", "taken"]);
    timeMs += 24 * HOUR;
    const later = cardOf({ number: 500_024, seed: 2 });
    expect(await cards.take(DEVICE, later)).toBe("taken");
    cards.close();
    const again = cardsIn();
    expect(hexOf(again.find(OWNER))).toBe(toHex(later));
    timeMs += 7 * 24 * HOUR - 1;
    expect(again.find(OWNER)).toBeDefined();
    timeMs += 1;
    expect(again.find(OWNER)).toBeUndefined();
  });

  it("holds one of each of two people who publish the same key, and displaces neither's", async () => {
    listed.add(`${person(OTHER)} ${DEVICE}`);
    const cards = cardsIn();
    const [own, others] = [cardOf(), cardOf({ master: OTHER, number: 500_001 })];
    expect([await cards.take(DEVICE, own), await cards.take(DEVICE, others)]).toEqual(["taken", "taken"]);
    expect([hexOf(cards.find(OWNER)), hexOf(cards.find({ person: person(OTHER), device: DEVICE }))]).toEqual([toHex(own), toHex(others)]);
    timeMs += 24 * HOUR;
    expect(await cards.take(DEVICE, cardOf({ number: 500_000, seed: 3 }))).toBe("untimely");
    expect(await cards.take(DEVICE, cardOf({ number: 500_023 }))).toBe("taken");
  });

  it("has cards of a file of before, which were of a device alone", () => {
    const path = join(folder.path, "before");
    mkdirSync(path, { recursive: true });
    const before = new Database(join(path, PUBLIC_CARDS_FILE));
    before.exec(PUBLIC_CARDS_DATABASE.initialSchema);
    before.pragma(`application_id = ${PUBLIC_CARDS_DATABASE.applicationId}`);
    before
      .prepare("INSERT INTO public_cards (device, person, number, card) VALUES (?, ?, ?, ?)")
      .run(DEVICE, OWNER.person, 500_000, cardOf());
    before.close();
    expect(hexOf(cardsIn("before").find(OWNER))).toBe(toHex(cardOf()));
  });

  it.each([
    ["older", "an earlier number", { number: 499_999 }],
    ["older", "other bytes of the same number", { seed: 2 }],
    ["untimely", "a number ahead of the chain", { number: 500_003 }],
    ["untimely", "the number of the day before", { number: 499_976 }],
    ["untimely", "a height far ahead", { number: 500_001, height: 1_601 }],
    ["untimely", "a height far behind", { number: 500_001, height: 399 }],
    ["false", "a signature over something else", { number: 500_001, forged: { height: 999 } }],
    ["false", "the keys of another card", { number: 500_001, forged: { x: new Uint8Array(32).fill(3) } }],
    ["false", "a person who does not vouch for it", { number: 500_001, forged: { masterPub: person(OTHER) } }],
    ["unlisted", "a person for whom the device is not listed", { number: 500_001, master: OTHER }],
  ] as const)("says %s of a card with %s", async (outcome, _, changes) => {
    const cards = cardsIn();
    await cards.take(DEVICE, cardOf());
    expect(await cards.take(DEVICE, cardOf(changes))).toBe(outcome);
    expect(hexOf(cards.find(OWNER))).toBe(toHex(cardOf()));
  });

  it("answers that it is busy where its disk is full, and where it stops meanwhile", async () => {
    const failing = {
      find: () => undefined,
      take: () => Promise.reject(new Error("disk is full")),
      newestOf: () => Promise.reject(new Error()),
    };
    expect(await aloneWith(failing).respond({ type: "card", ...OWNER, card: cardOf() }, "x")).toEqual({ type: "busy" });
  });

  it("looks at a bounded number of cards at once that clients hand in", async () => {
    const { promise, resolve } = Promise.withResolvers<"untimely">();
    let looked = 0;
    const waiting = {
      find: () => undefined,
      newestOf: () => Promise.resolve({ card: undefined, lies: [] }),
      take: (): Promise<"untimely"> => {
        looked += 1;
        return promise;
      },
    };
    const exchange = aloneWith(waiting);
    const published = Array.from({ length: CARDS_AT_ONCE + 5 }, () => exchange.publish(DEVICE, cardOf()));
    resolve("untimely");
    const refusals = (await Promise.allSettled(published)).map((one) => (one.status === "rejected" ? (one.reason as CodedError).code : ""));
    expect([looked, refusals.filter((code) => code === "UNAVAILABLE").length]).toEqual([CARDS_AT_ONCE, 5]);
    await expect(exchange.publish(DEVICE, cardOf())).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  it("opens no file again for a card that was being checked when it stopped", async () => {
    const cards = cardsIn();
    const taking = cards.take(DEVICE, cardOf());
    cards.close();
    expect([await taking, hasPublicCards(folder.path)]).toEqual(["full", false]);
  });

  it("checks no signature of a card that does not count anyway", async () => {
    const cards = cardsIn();
    await cards.take(DEVICE, cardOf());
    const before = verified;
    expect([await cards.take(DEVICE, cardOf({ seed: 2 })), await cards.take(DEVICE, cardOf()), verified]).toEqual([
      "older",
      "taken",
      before,
    ]);
  });

  it("takes neither the card of another device nor what is none", async () => {
    const cards = cardsIn();
    expect(await cards.take("cd".repeat(32), cardOf())).toBe("false");
    expect([await cards.take(DEVICE, new Uint8Array(2_000)), await cards.take(DEVICE, new Uint8Array())]).toEqual(["false", "false"]);
    listed.clear();
    expect(await cards.take(DEVICE, cardOf())).toBe("unlisted");
  });

  it("has room for so many cards, of one person and of all, and forgets those whose time is over", async () => {
    const device = (n: number): string => `${n}`.padStart(64, "0");
    const put = (cards: PublicCards, n: number, master: Uint8Array, number = 500_000): ReturnType<PublicCards["take"]> => {
      listed.add(`${person(master)} ${device(n)}`);
      return cards.take(device(n), cardOf({ device: device(n), master, number }));
    };
    const cards = cardsIn("", { cards: 3, ofPerson: 2 });
    expect([await put(cards, 1, MASTER), await put(cards, 2, MASTER), await put(cards, 3, MASTER)]).toEqual(["taken", "taken", "full"]);
    expect([await put(cards, 4, OTHER), await put(cards, 5, OTHER)]).toEqual(["taken", "full"]);
    timeMs += HOUR;
    expect(await put(cards, 1, MASTER, 500_001)).toBe("taken");
    timeMs = NOON + 168 * HOUR;
    expect(await put(cards, 5, OTHER, 500_168)).toBe("taken");
  });
});

describe("nodes that hold cards", () => {
  const KEYS = ["a", "b", "c", "d"].map((letter) => letter.repeat(64));
  const away = new Set<string>();
  const bent = new Map<string, (response: MailResponse) => MailResponse>();
  const liars: string[] = [];
  let asked: string[] = [];
  let nowMs = 0;
  let nodes: Map<string, CardExchange>;

  beforeEach(() => {
    away.clear();
    bent.clear();
    liars.length = 0;
    asked = [];
    nodes = new Map();
  });

  /** A node whose cards lie at a, b and c, and at d in the second place. */
  function nodeOf(name: string, places?: CardPlaces): CardExchange {
    const known = { groups: [KEYS.slice(0, 3), KEYS.slice(3)], copies: 3, isOwn: false };
    const write = places ?? { ...known, groups: [KEYS.slice(0, 3), ...KEYS.slice(3).map((key) => [key])] };
    const exchange = new CardExchange({
      cards: cardsIn(),
      placesOf: () => ({ write, read: places ?? known }),
      mayHold: () => Promise.resolve(name !== "a light node"),
      epoch: () => 9,
      ask: async (node, request) => {
        asked.push(node.slice(0, 1));
        const to = nodes.get(node);
        if (to === undefined || away.has(node)) throw new CodedError("UPSTREAM_FAILED", "away");
        const sent = decode(mailRequestCodec, encode(mailRequestCodec, request));
        if (sent.type !== "card") throw new Error("not asked here");
        const response = await to.respond(sent, name);
        if (response === undefined) throw new CodedError("UPSTREAM_FAILED", "refused");
        return decode(mailResponseCodec, encode(mailResponseCodec, bent.get(node)?.(response) ?? response));
      },
      onLie: (node): void => void liars.push(node.slice(0, 1)),
      clock: { monotonicMs: () => nowMs },
      log: LOG,
    });
    return exchange;
  }

  function openNodes(): CardExchange {
    for (const key of KEYS) {
      nodes.set(
        key,
        aloneWith(cardsIn(key.slice(0, 1)), () => nowMs),
      );
    }
    return nodeOf("the reader");
  }

  it("get a card of a client, and others read it there", async () => {
    const sender = openNodes();
    await sender.publish(DEVICE, cardOf());
    expect(asked).toEqual(["a", "b", "c"]);
    const reader = nodeOf("another reader", { groups: [KEYS.slice(0, 3)], copies: 3, isOwn: false });
    opened.pop()?.close();
    expect(hexOf(await reader.read(OWNER))).toBe(toHex(cardOf()));
  });

  it("are believed by the greatest number, whoever responds first", async () => {
    const reader = openNodes();
    for (const key of KEYS.slice(1, 3)) await nodes.get(key)?.respond({ type: "card", ...OWNER, card: cardOf() }, "x");
    timeMs += HOUR;
    const newer = cardOf({ number: 500_001 });
    await nodes.get(KEYS[0] ?? "")?.respond({ type: "card", ...OWNER, card: newer }, "x");
    expect(hexOf(await reader.read(OWNER))).toBe(toHex(newer));
  });

  it("stand in for those that are away, and two are enough", async () => {
    const sender = openNodes();
    away.add(KEYS[0] ?? "");
    await sender.publish(DEVICE, cardOf());
    expect(asked).toEqual(["a", "b", "c", "d"]);
    away.add(KEYS[1] ?? "");
    timeMs += HOUR;
    await sender.publish(DEVICE, cardOf({ number: 500_001 }));
    away.add(KEYS[2] ?? "");
    timeMs += HOUR;
    await expect(sender.publish(DEVICE, cardOf({ number: 500_002 }))).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("that are not as far as the card count as none that has taken it, and refuse nothing", async () => {
    const sender = openNodes();
    bent.set(KEYS[0] ?? "", () => ({ type: "card", card: cardOf({ number: 499_999 }) }));
    await sender.publish(DEVICE, cardOf());
    expect([asked, liars]).toEqual([["a", "b", "c", "d"], []]);
  });

  it("say that a later card counts, and refuse what is not of the present", async () => {
    const sender = openNodes();
    timeMs += HOUR;
    for (const key of KEYS.slice(0, 2)) await nodes.get(key)?.respond({ type: "card", ...OWNER, card: cardOf({ number: 500_001 }) }, "x");
    await expect(sender.publish(DEVICE, cardOf())).rejects.toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("later one"),
    });
    await expect(sender.publish(DEVICE, cardOf({ number: 500_009 }))).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(sender.publish(DEVICE, new Uint8Array(9))).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(liars).toEqual([]);
  });

  it("cannot keep a newer card back where one of them is honest, nor make one up", async () => {
    const reader = openNodes();
    const old = cardOf();
    for (const key of KEYS.slice(0, 3)) await nodes.get(key)?.respond({ type: "card", ...OWNER, card: old }, "x");
    timeMs += HOUR;
    const newer = cardOf({ number: 500_001, seed: 2 });
    await nodes.get(KEYS[2] ?? "")?.respond({ type: "card", ...OWNER, card: newer }, "x");
    bent.set(KEYS[0] ?? "", () => ({ type: "card", card: cardOf({ number: 500_002, forged: { signature: "00".repeat(64) } }) }));
    bent.set(KEYS[1] ?? "", () => ({ type: "card", card: null }));
    expect(hexOf(await reader.read(OWNER))).toBe(toHex(newer));
    expect(liars).toEqual(["a"]);
    // One of a device that the chain does not list is none, and no lie: the chain may have been another one.
    listed.clear();
    nowMs += CARD_MEMORY_MS;
    expect(await reader.read(OWNER)).toBeUndefined();
    expect(liars).toEqual(["a", "a"]);
  });

  it("give the card of the person who is meant, of two who publish the same key, and lie with another one's", async () => {
    listed.add(`${person(OTHER)} ${DEVICE}`);
    const reader = openNodes();
    const [own, others] = [cardOf(), cardOf({ master: OTHER, number: 500_001 })];
    await reader.publish(DEVICE, own);
    await reader.publish(DEVICE, others);
    expect(hexOf(await reader.read(OWNER))).toBe(toHex(own));
    expect(hexOf(await reader.read({ person: person(OTHER), device: DEVICE }))).toBe(toHex(others));
    bent.set(KEYS[0] ?? "", () => ({ type: "card", card: others }));
    nowMs += CARD_MEMORY_MS;
    expect(hexOf(await reader.read(OWNER))).toBe(toHex(own));
    expect(liars).toEqual(["a"]);
    // Nor does a node hand one on as that of another person.
    expect(await nodes.get(KEYS[1] ?? "")?.respond({ type: "card", ...OWNER, card: others }, "x")).toBeUndefined();
  });

  it("are asked once a minute for a device, together, and others only where these have none", async () => {
    const reader = openNodes();
    expect(reader.isAtHand(OWNER)).toBe(false);
    const both = [reader.read(OWNER), reader.read(OWNER)];
    expect([reader.isAtHand(OWNER), await Promise.all(both)]).toEqual([true, [undefined, undefined]]);
    expect(asked).toEqual(["a", "b", "c", "d"]);
    await nodes.get(KEYS[3] ?? "")?.respond({ type: "card", ...OWNER, card: cardOf() }, "x");
    expect([await reader.read(OWNER), asked.length]).toEqual([undefined, 4]);
    nowMs += CARD_MEMORY_MS;
    expect(hexOf(await reader.read(OWNER))).toBe(toHex(cardOf()));
    // The own node's counts at once.
    timeMs += HOUR;
    await reader.publish(DEVICE, cardOf({ number: 500_001 }));
    expect(hexOf(await reader.read(OWNER))).toBe(toHex(cardOf({ number: 500_001 })));
  });

  it("punish a false card, and a node that may hold none says so", async () => {
    openNodes();
    const [honest] = [nodes.get(KEYS[0] ?? "")];
    expect(await honest?.respond({ type: "card", ...OWNER, card: cardOf({ forged: { height: 999 } }) }, "x")).toBeUndefined();
    expect(await honest?.respond({ type: "card", ...OWNER, card: cardOf({ number: 400_000 }) }, "x")).toEqual({
      type: "card",
      card: null,
    });
    const light = nodeOf("a light node");
    expect(await light.respond({ type: "card", ...OWNER, card: cardOf() }, "x")).toEqual({ type: "wrongKeeper", epoch: 9 });
    expect(await light.respond({ type: "card", ...OWNER, card: null }, "x")).toEqual({ type: "card", card: null });
  });
});
