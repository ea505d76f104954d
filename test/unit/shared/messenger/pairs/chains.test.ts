// Chains of a pair: what is acknowledged, what is sealed anew, and what an acknowledgement cannot be.

import { describe, expect, it } from "vitest";
import type { PairAck } from "#shared/content/pairs/pair-content.ts";
import { MAX_ACK_RANGES } from "#shared/content/pairs/pair-content.ts";
import type { OutboxRecord } from "#shared/messenger/model/records.ts";
import { heldChunks, isFullOfChunks } from "#shared/messenger/pairs/held-chunks.ts";
import { newPairRecord, type PairRecord } from "#shared/messenger/pairs/pair-record.ts";
import { PairRegistry } from "#shared/messenger/pairs/pair-registry.ts";
import {
  EMPTY_DIGEST,
  MAX_BEYOND_GAP,
  MAX_UNACKNOWLEDGED,
  MAX_UNACKNOWLEDGED_CHUNKS,
  newPair,
  type ReceivedChain,
  type SentChain,
} from "#shared/messenger/pairs/pair-state.ts";
import { ackOf, emptyChain, nextDigest, takePlace } from "#shared/messenger/pairs/received-chain.ts";
import {
  type AckOrigin,
  askForCards,
  dueAgain,
  givePlaces,
  LACKING_MS,
  liesUnderEarlierCard,
  noteNotTaken,
  noteSealed,
  readAck,
  waitAgain,
} from "#shared/messenger/pairs/sent-chain.ts";

const DAY = 86_400_000;
const OWN = "aa".repeat(8);
const THEIRS = "bb".repeat(8);
const id = (number: number): string => number.toString(16).padStart(32, "0");
const now = (ms: number): { readonly ownMs: number; readonly blockMs: number } => ({ ownMs: ms, blockMs: ms });
const KNOWN = { isStranger: false, isSilent: false };

/** A chain with so many contents, all sealed to a card at time 0. */
function sealed(count: number, cardId = "c1"): SentChain {
  const ids = Array.from({ length: count }, (_, at) => id(at + 1));
  const given = givePlaces(newPair(OWN, 0).sent, ids, now(0));
  return ids.reduce((chain, _, at) => noteSealed(chain, at + 1, cardId, now(0)), given);
}

function received(...positions: readonly number[]): ReceivedChain {
  return positions.reduce((chain, position) => takePlace(chain, position, id(position)), emptyChain(OWN));
}

/** The chain after an acknowledgement of these positions. */
function acked(chain: SentChain, positions: readonly number[], atMs: number, origin: Partial<AckOrigin> = {}): SentChain {
  const reading = readAck(chain, ackOf(received(...positions)), { by: THEIRS, atMs, day: 0, ...origin }, now(atMs));
  if (reading.kind === "contradiction") throw new Error("a contradiction");
  return reading.chain;
}

const due = (chain: SentChain, atMs: number, who = KNOWN): readonly number[] =>
  dueAgain(chain, now(atMs), who).map(({ position }) => position);

describe("chunks of files", () => {
  const filled = (count: number): SentChain =>
    givePlaces(
      newPair(OWN, 0).sent,
      Array.from({ length: count }, (_, at) => id(at + 1)),
      now(0),
      true,
    );
  const pairOf = (device: string, sent: SentChain): PairRecord => {
    const record = newPairRecord("ann", device, OWN, 0);
    const theirs = { chain: emptyChain(THEIRS), card: null, sinceCard: 1, former: null, past: [THEIRS], heardAt: now(0) };
    return { ...record, isProven: true, state: { ...record.state, sent, theirs } };
  };
  const chunk = (peer: string, device?: string): OutboxRecord => ({
    ...{ seq: 1, peer, queuedAt: 0, done: [], isRelayed: false, isFailed: false },
    task: { kind: "chunk", key: "k", id: "i", index: 0, ...(device !== undefined && { device }) },
  });

  it("wait here once so many wait for acknowledgements, until some come; nothing else does", () => {
    const full = filled(MAX_UNACKNOWLEDGED_CHUNKS);
    expect(isFullOfChunks(full)).toBe(true);
    expect(isFullOfChunks(filled(MAX_UNACKNOWLEDGED_CHUNKS - 1))).toBe(false);
    expect(isFullOfChunks(sealed(MAX_UNACKNOWLEDGED_CHUNKS + 1))).toBe(false);
    expect(isFullOfChunks(acked(full, [1], 2))).toBe(false);
    expect(isFullOfChunks(acked(full, [7], 2))).toBe(false);
    const isHeld = heldChunks({ pairs: new PairRegistry([pairOf("d1", full)]) });
    expect(isHeld(chunk("ann"))).toBe(true);
    expect(isHeld({ ...chunk("ann"), task: { kind: "receipt", status: "read", ids: [] } })).toBe(false);
    expect(isHeld(chunk("bob"))).toBe(false);
  });

  it("wait for no device that is switched off while another one reads", () => {
    const pairs = new PairRegistry([pairOf("d1", filled(MAX_UNACKNOWLEDGED_CHUNKS)), pairOf("d2", filled(1))]);
    const isHeld = heldChunks({ pairs });
    expect(isHeld(chunk("ann"))).toBe(false);
    expect(isHeld(chunk("ann", "d1"))).toBe(true);
    expect(isHeld(chunk("ann", "d2"))).toBe(false);
  });
});

describe("what came", () => {
  it("is one digest whatever the order, and the same twice changes nothing", () => {
    expect(received(3, 1, 2, 2, 1)).toEqual(received(1, 2, 3));
    expect(received(1, 2)).toMatchObject({ upTo: 2, digest: nextDigest(nextDigest(EMPTY_DIGEST, id(1)), id(2)), ahead: [] });
  });

  it("keeps the id that came first at a position", () => {
    expect(takePlace(received(1), 1, id(9))).toEqual(received(1));
  });

  it("names ranges beyond a gap, the first ones", () => {
    expect(ackOf(received(1, 3, 4, 7))).toMatchObject({
      upTo: 1,
      ranges: [
        { from: 3, to: 4 },
        { from: 7, to: 7 },
      ],
    });
    const gaps = received(...Array.from({ length: 40 }, (_, at) => 3 + 2 * at));
    expect(ackOf(gaps).ranges).toHaveLength(MAX_ACK_RANGES);
  });

  it("has a gap until what is in it came, however far ahead other places are", () => {
    const far = [3, 5, MAX_BEYOND_GAP + 2, MAX_BEYOND_GAP + 3, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER];
    for (const place of far) {
      const chain = received(1, place);
      expect(chain, `place ${place}`).toMatchObject({ upTo: 1, ahead: [{ position: place, id: id(place) }] });
      expect(ackOf(chain)).toMatchObject({ upTo: 1, ranges: [{ from: place, to: place }] });
    }
    const all = received(1, ...far);
    expect(all).toMatchObject({ upTo: 1, digest: nextDigest(EMPTY_DIGEST, id(1)), ahead: far.map((position) => ({ position })) });
    expect(takePlace(all, 2, id(2))).toMatchObject({
      upTo: 3,
      digest: received(1, 2, 3).digest,
      ahead: far.slice(1).map((position) => ({ position })),
    });
  });

  it("is bounded beyond a gap, and what closes the gap is always taken", () => {
    let chain = emptyChain(OWN);
    const ahead = Array.from({ length: MAX_BEYOND_GAP }, (_, at) => ({ position: at + 2, id: id(at + 2) }));
    chain = { ...chain, ahead };
    expect(takePlace(chain, MAX_BEYOND_GAP + 9, id(1))).toBe(chain);
    expect(takePlace(chain, 1, id(1))).toMatchObject({ upTo: MAX_BEYOND_GAP + 1, ahead: [] });
  });
});

describe("what was sent", () => {
  it("says the highest position under an earlier card with what is sealed to a newer one", () => {
    const chain = sealed(3);
    expect(chain).toMatchObject({ base: 0, under: { cardId: "c1", position: 3 } });
    const anew = noteSealed(chain, 2, "c2", now(1));
    expect(anew).toMatchObject({ base: 3, under: { cardId: "c2", position: 2 } });
    expect(noteSealed(anew, undefined, "c3", now(2))).toMatchObject({ base: 3, under: { cardId: "c3", position: 0 } });
    expect(noteSealed(noteSealed(anew, 9, "c2", now(2)), undefined, "c3", now(3)).base).toBe(9);
  });

  it("lies under an earlier card until something was sealed to the newest", () => {
    const chain = sealed(1);
    expect([liesUnderEarlierCard(chain, "c1"), liesUnderEarlierCard(chain, "c2")]).toEqual([false, true]);
    expect(liesUnderEarlierCard(noteSealed(chain, undefined, "c2", now(1)), "c2")).toBe(false);
    expect(liesUnderEarlierCard(newPair(OWN, 0).sent, "c2")).toBe(false);
  });

  it("waits no longer once it is acknowledged; beyond a gap it stays for its id", () => {
    const chain = acked(sealed(4), [1, 2, 4], 1);
    expect(chain).toMatchObject({ ackedUpTo: 2, ackedBy: THEIRS });
    expect(chain.waiting.map(({ position, isThere }) => [position, isThere])).toEqual([
      [3, false],
      [4, true],
    ]);
    expect(acked(chain, [1, 2, 3, 4], 2).waiting).toEqual([]);
  });

  it("is told once what is newly acknowledged", () => {
    const first = readAck(sealed(3), ackOf(received(1, 3)), { by: THEIRS, atMs: 1, day: 0 }, now(1));
    expect(first).toMatchObject({ kind: "read", acked: [id(1), id(3)], lacking: [] });
    const again = first.kind === "read" && readAck(first.chain, ackOf(received(1, 3)), { by: THEIRS, atMs: 2, day: 0 }, now(2));
    expect(again).toMatchObject({ acked: [] });
  });

  it("is not set back by an acknowledgement that was overtaken", () => {
    const chain = acked(sealed(3), [1, 2, 3], 1);
    expect(acked(chain, [1], 2, { atMs: 0 })).toMatchObject({ ackedUpTo: 3, waiting: [] });
  });

  it("waits again when a later acknowledgement lacks what was there: that disk was put back", () => {
    const chain = acked(sealed(3), [1, 2, 3], 5);
    const overtaken = readAck(chain, ackOf(received(1)), { by: THEIRS, atMs: 4, day: 0 }, now(9));
    expect(overtaken).toMatchObject({ lacking: [], chain: { ackedUpTo: 3 } });
    const putBack = readAck(chain, ackOf(received(1)), { by: THEIRS, atMs: 8, day: 0 }, now(9));
    expect(putBack).toMatchObject({ lacking: [{ from: 2, to: 3 }], chain: { ackedUpTo: 1, ackedAtMs: 8 } });
    expect(acked(sealed(1), [1], 5, { atMs: 10 * DAY }).ackedAtMs).toBe(5);
  });

  it("is sealed anew at once when an acknowledgement ten minutes later lacks it", () => {
    expect(due(acked(sealed(2), [2], LACKING_MS - 1), LACKING_MS)).toEqual([]);
    expect(due(acked(sealed(2), [2], LACKING_MS), LACKING_MS)).toEqual([1]);
  });

  it("is sealed anew at once when its card did not open, and waits for no other", () => {
    const chain = noteSealed(sealed(2), 2, "c2", now(0));
    expect(due(askForCards(chain, ["c1"]), 1)).toEqual([1]);
    expect(askForCards(chain, ["c9"])).toBe(chain);
    const anew = noteSealed(askForCards(chain, ["c1"]), 1, "c3", now(2));
    expect(due(anew, 3)).toEqual([]);
  });

  it("is served less and less often to who asks again and again and acknowledges nothing", () => {
    const MINUTE = 60_000;
    let chain = sealed(1);
    const servedAt: number[] = [];
    for (let minute = 0; minute < 5 * 24 * 60; minute += 1) {
      const at = now(minute * MINUTE);
      chain = askForCards(chain, ["c1"]);
      const reading = readAck(chain, ackOf(received()), { by: THEIRS, atMs: minute, day: 0 }, at);
      if (reading.kind === "read") chain = reading.chain;
      if (dueAgain(chain, at, KNOWN).length === 0) continue;
      chain = noteSealed(chain, 1, "c1", at);
      servedAt.push(minute);
    }
    expect(servedAt.slice(0, 5)).toEqual([0, 10, 30, 70, 150]);
    expect(servedAt.length).toBeLessThan(15);
    // What waited in vain for its time is not forgotten.
    expect(due(askForCards(chain, ["c1"]), 7 * DAY)).toEqual([1]);
  });

  it("goes again to instances that come and go once a counted day, whatever they say to have lost, and is not forgotten", () => {
    const all = [1, 2, 3];
    const lacked = (chain: SentChain, by: string, positions: readonly number[], day: number): ReturnType<typeof readAck> =>
      readAck(chain, ackOf(received(...positions)), { by, atMs: 9, day }, now(9));
    const lost = lacked(acked(sealed(3), all, 5), "dd".repeat(8), [], 0);
    expect(lost).toMatchObject({ kind: "read", lacking: [{ from: 1, to: 3 }] });
    if (lost.kind !== "read") throw new Error("a contradiction");
    for (const by of ["ee".repeat(8), "ff".repeat(8)])
      expect(lacked(lost.chain, by, [1], 0)).toMatchObject({ lacking: [], chain: { ackedBy: "dd".repeat(8) } });
    // An instance that says to have everything changes nothing of that.
    const has = acked(lost.chain, all, 10, { by: "ee".repeat(8) });
    expect(lacked(has, "ff".repeat(8), [1], 0)).toMatchObject({ lacking: [], chain: { ackedBy: "ee".repeat(8) } });
    expect(lacked(has, "ff".repeat(8), [1], 1)).toMatchObject({ lacking: [{ from: 2, to: 3 }], chain: { ackedBy: "ff".repeat(8) } });
  });

  it("is sealed anew unasked after one, seven and each 25 days, by either clock", () => {
    const ages = [0.9, 1, 6.9, 7, 24.9, 25, 24.9, 25];
    let chain = sealed(1);
    const tried = ages.map((days) => {
      const isDue = due(chain, days * DAY).length > 0;
      if (isDue) chain = noteSealed(chain, 1, "c1", now(0));
      return isDue;
    });
    expect(tried).toEqual([false, true, false, true, false, true, false, true]);
    expect(due(sealed(1), -2 * DAY)).toEqual([1]);
  });

  it("goes twice to a stranger, and unasked to no device that is silent", () => {
    const twice = noteSealed(sealed(1), 1, "c1", now(0));
    expect(due(sealed(1), 30 * DAY, { isStranger: true, isSilent: false })).toEqual([1]);
    expect(due(twice, 300 * DAY, { isStranger: true, isSilent: false })).toEqual([]);
    expect(due(sealed(1), 30 * DAY, { isStranger: false, isSilent: true })).toEqual([]);
    expect(due(askForCards(sealed(1), ["c1"]), 1, { isStranger: false, isSilent: true })).toEqual([1]);
  });

  it("waits again for another instance, as far as the chain goes, once", () => {
    const reading = readAck(acked(sealed(5), [1, 2, 3, 4, 5], 1), ackOf(received(1, 3)), { by: "dd".repeat(8), atMs: 2, day: 0 }, now(2));
    expect(reading).toMatchObject({
      kind: "read",
      lacking: [
        { from: 2, to: 2 },
        { from: 4, to: 5 },
      ],
    });
    if (reading.kind !== "read") throw new Error("a contradiction");
    const entries = [2, 4, 5, 6].map((position) => ({ position, id: id(position) }));
    const chain = waitAgain(waitAgain(reading.chain, entries, now(3)), entries, now(4));
    expect(due(chain, 4)).toEqual([2, 4, 5]);
    expect(acked(chain, [1, 2, 3, 4, 5], 5, { by: "dd".repeat(8) }).waiting).toEqual([]);
  });

  it("holds a bounded number, the newest", () => {
    const ids = Array.from({ length: MAX_UNACKNOWLEDGED + 3 }, (_, at) => id(at + 1));
    expect(
      givePlaces(newPair(OWN, 0).sent, ids, now(0))
        .waiting.map(({ position }) => position)
        .slice(0, 1),
    ).toEqual([4]);
  });
});

it("what no mailbox took counts as not tried and is to be sealed again, and its card counts as sealed to", () => {
  const chain = noteNotTaken(sealed(2), 1);
  expect(chain.waiting.map(({ tries, cardId, isAsked }) => [tries, cardId, isAsked])).toEqual([
    [0, "c1", true],
    [1, "c1", false],
  ]);
  expect(noteNotTaken(noteNotTaken(chain, 1), 3).waiting).toEqual(chain.waiting);
});

describe("an acknowledgement", () => {
  const ack = (fields: Partial<PairAck>): PairAck => ({ ...ackOf(received(1, 2)), ...fields });

  it.each([
    ["of a position that was never given", ack({ upTo: 4, digest: "11".repeat(8) })],
    ["of a range that was never given", ack({ ranges: [{ from: 4, to: 4 }] })],
    ["of other contents", ack({ digest: "11".repeat(8) })],
    ["of nothing with a digest", ack({ upTo: 0, digest: "11".repeat(8) })],
  ])("%s contradicts what was sent", (_, wrong) => {
    expect(readAck(sealed(3), wrong, { by: THEIRS, atMs: 1, day: 0 }, now(1)).kind).toBe("contradiction");
  });

  it("cannot be checked where ids are not known any more, and is believed there", () => {
    const short = { ...sealed(3), waiting: sealed(3).waiting.slice(1) };
    expect(readAck(short, ack({ digest: "11".repeat(8) }), { by: THEIRS, atMs: 1, day: 0 }, now(1)).kind).toBe("read");
  });
});
