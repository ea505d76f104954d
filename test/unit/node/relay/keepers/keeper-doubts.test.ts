// Keepers that drop what they signed for lose their say at the node that they signed to, and at no other; no one can take it from an honest one.
import { describe, expect, it } from "vitest";
import { countsReceipts, type DoubtedKeepers, doubtKeeper, NO_DOUBTS, needsOtherBox } from "#node/relay/keepers/doubts/doubted-keepers.ts";
import { KeeperDoubts } from "#node/relay/keepers/doubts/keeper-doubts.ts";
import { ReceiptAudit } from "#node/relay/keepers/doubts/receipt-audit.ts";
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";
import { UNKNOWN_SOURCE } from "#node/storage/mailbox/mail-sources.ts";
import type { StoredDoubt } from "#node/storage/messages/doubt-store.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { type KeptMail, keptMail } from "#test/support/worlds/kept-mail.ts";
import { actor, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";
import { MAIL_HEIGHT, MAIL_START_SEC } from "#test/support/worlds/mail-world.ts";

const { auditMs, doubtMs, tickMs } = KEEPER_LIMITS;
const lateMs = 300_000;
/** Shorter than a day, in which a sender looks 345,600 times for what is due. */
const findingMs = 2_000_000;
const START_MS = 1_000_000;
const OWNER = mailboxOwner(CHAIN_ID, 60, MAIL_START_SEC);
const WRITER = boxWriter(CHAIN_ID, 7);
const keyOf = (n: number): string => actor(n + 1).pub;
const [FIRST, SECOND, THIRD] = [keyOf(0), keyOf(1), keyOf(2)];

interface World extends KeptMail {
  /** Sends an envelope, to the opened box unless it is said otherwise, and lets its keepers sign for it. */
  send(n: number, isAdmitted?: boolean): Promise<Envelope>;
  has(n: number, envelope: Envelope): boolean;
  /** Keeper `n` drops all that it takes, right after it signed. */
  drop(n: number): void;
  /** Time passes by so much, in looks, or until something holds. */
  pass(durationMs: number, holds?: () => boolean): Promise<void>;
}

async function world(): Promise<World> {
  const kept = await keptMail({}, undefined, { standIns: 2, keeperLimits: { findingMs, lateMs } });
  const { sending, keepers, sender, queue, until, time } = kept;
  const opening = OWNER.opening(WRITER.key, { untilSec: MAIL_START_SEC + 86_400 * 20, height: MAIL_HEIGHT });
  for (const { relay } of [sending, ...keepers]) await relay.boxes.take(opening, UNKNOWN_SOURCE);
  kept.audit.start();
  return Object.assign(kept, {
    async send(n: number, isAdmitted = true): Promise<Envelope> {
      const box = isAdmitted ? OWNER.pub : mailboxOwner(CHAIN_ID, 61).pub;
      const envelope = OWNER.envelope(n, box);
      const before = sender.figures.handedOver;
      await sending.relay.broadcast(envelope, undefined, isAdmitted ? WRITER.admit(envelope) : undefined);
      await until(() => sender.figures.handedOver > before && queue.usage.count === 0);
      return envelope;
    },
    has: (n: number, { recipient_pub, id }: Envelope): boolean => keepers[n]?.store.get(recipient_pub, id) !== undefined,
    drop(n: number): void {
      // After the response: what is in no store is not signed for.
      keepers[n]?.relay.onEnvelope(({ recipient_pub, id }) => void time.setTimer(tickMs, () => keepers[n]?.store.evict(recipient_pub, id)));
    },
    async pass(durationMs: number, holds = (): boolean => false): Promise<void> {
      const endMs = time.nowMs + durationMs;
      const { figures } = kept.audit;
      let idle = 0;
      await until(() => {
        const { looks } = figures;
        time.advance(Math.min(auditMs, Math.max(0, endMs - time.nowMs)));
        idle = time.nowMs >= endMs && figures.looks === looks ? idle + 1 : 0;
        return holds() || idle > 5;
      });
    },
  });
}

describe("a keeper that drops what it signed for", () => {
  it("is noticed by whom it signed to, and the next rank gets the mail beside the two that are true", async () => {
    const { send, has, drop, pass, doubts } = await world();
    drop(2);
    const first = await send(1);
    await pass(lateMs + 5 * auditMs);
    expect(doubts.doubted).toEqual([THIRD]);
    expect([has(0, first), has(1, first), has(3, first)]).toEqual([true, true, false]);
    const second = await send(2);
    expect([has(0, second), has(1, second), has(3, second)]).toEqual([true, true, true]);
  });

  it("is doubted after a restart too, for 30 days from its last one, and what was to be checked is", async () => {
    const { send, drop, pass, doubts, queue, time, audit } = await world();
    drop(2);
    await send(1);
    audit.close();
    const kept = queue.doubts.receipts.map(({ keeper }) => keeper).toSorted();
    expect(kept).toEqual([FIRST, SECOND, THIRD].toSorted());
    await pass(0);
    doubts.add({ keeper: THIRD });
    let laterMs = 0;
    const again = new KeeperDoubts({
      memory: queue.doubts,
      keepers: () => [0, 1, 2].map((n) => ({ key: keyOf(n) })),
      ...{ limits: KEEPER_LIMITS, clock: { nowMs: () => MAIL_START_SEC * 1_000 + time.nowMs + laterMs }, onError: () => undefined },
    });
    expect([again.counts(THIRD), again.counts(FIRST), again.doubted]).toEqual([false, true, [THIRD]]);
    laterMs = doubtMs;
    expect(again.counts(THIRD)).toBe(true);
  });

  it("is noticed by a reader, or another keeper, that gave it what the others have", async () => {
    const mail = await world();
    const { sending, keepers, has, pass, doubts } = mail;
    const envelope = OWNER.envelope(3);
    const admit = WRITER.admit(envelope);
    for (const { relay } of [sending, ...keepers.slice(0, 2)]) await relay.receive([envelope], UNKNOWN_SOURCE, [admit]);
    sending.relay.serve(OWNER.pub);
    // It has signed for nothing yet.
    await pass(10 * lateMs, () => has(2, envelope));
    expect([has(2, envelope), doubts.doubted]).toEqual([true, []]);
    // Given once, and to no keeper that has it.
    await pass(lateMs / 2);
    expect(mail.putBytes).toBe(envelope.ciphertext.length);
    keepers[2]?.store.evict(OWNER.pub, envelope.id);
    await pass(10 * lateMs, () => doubts.doubted.length > 0);
    expect(doubts.doubted).toEqual([THIRD]);
  });
});

describe("a keeper that says nothing of what it signed for", () => {
  it("is doubted after some days on which it signed on, as one whose mail is gone, and no day does it for one that is away", async () => {
    const { pass, doubts, send, twisted, time } = await world();
    const isSilent = { always: false };
    twisted.set(2, ({ type }) => (type === "fetch" || isSilent.always ? { type: "busy" } : undefined));
    const day = async (n: number, signsOn: boolean): Promise<void> => {
      await send(n);
      await pass(lateMs + 10 * auditMs);
      isSilent.always = !signsOn;
      await send(n + 1);
      await pass(3 * lateMs + 20 * auditMs);
      isSilent.always = false;
      time.advance(findingMs);
    };
    for (let n = 40; n < 46; n += 2) await day(n, false);
    expect(doubts.doubted).toEqual([]);
    for (let n = 50; n < 56; n += 2) {
      await day(n, true);
      expect(doubts.doubted).toEqual(n < 54 ? [] : [THIRD]);
    }
  });
});

describe("an honest keeper", () => {
  it("is not doubted for what others say that it lacks, what it refuses, or while it does not answer", async () => {
    const { sending, keepers, pass, doubts, twisted, send } = await world();
    const envelope = OWNER.envelope(4);
    // Made up by two of three: the third one is full.
    for (const { relay } of [sending, ...keepers.slice(0, 2)]) await relay.receive([envelope], UNKNOWN_SOURCE, [WRITER.admit(envelope)]);
    sending.relay.serve(OWNER.pub);
    twisted.set(2, (request: MailRequest): MailResponse | undefined =>
      request.type === "put" ? { type: "receipts", receipts: [] } : undefined,
    );
    await pass(3 * lateMs);
    expect(doubts.doubted).toEqual([]);
    twisted.delete(2);
    await send(5);
    twisted.set(2, () => ({ type: "busy" }));
    await pass(5 * lateMs);
    expect(doubts.doubted).toEqual([]);
  });

  it("is not doubted for what its owner has deleted, also where it does not know by whom", async () => {
    const { keepers, pass, doubts, send, audit } = await world();
    const { id } = await send(6);
    for (const { relay } of keepers.slice(0, 2)) await relay.deletions.learn([OWNER.deletion([id], MAIL_HEIGHT)]);
    keepers[2]?.store.evict(OWNER.pub, id);
    await pass(lateMs + 10 * auditMs);
    // Not even a finding that is not certain.
    expect([doubts.doubted, audit.figures.dropped]).toEqual([[], 0]);
  });

  it("signs for no mail whose deletion it cannot show, which others could have: the next rank gets it", async () => {
    const { keepers, pass, doubts, send, has } = await world();
    const { recipient_pub, id } = OWNER.envelope(7);
    // As its owner's client does there with a proof that is for this node alone.
    keepers[2]?.relay.delete(recipient_pub, id);
    const envelope = await send(7);
    expect([has(1, envelope), has(2, envelope), has(3, envelope)]).toEqual([true, false, true]);
    await pass(lateMs + 10 * auditMs);
    expect(doubts.doubted).toEqual([]);
  });

  it("is not doubted for mail of a box that a flood displaced everywhere, and after some days of it where it alone lost it", async () => {
    const { keepers, pass, doubts, send, time } = await world();
    const lose = async (n: number, from: number): Promise<void> => {
      const { recipient_pub, id } = await send(n, false);
      for (const { store } of keepers.slice(from, 3)) store.evict(recipient_pub, id);
      await pass(lateMs + 10 * auditMs);
    };
    for (let n = 10; n < 13; n += 1) {
      await lose(n, 0);
      time.advance(findingMs);
    }
    expect(doubts.doubted).toEqual([]);
    for (let n = 20; n < 23; n += 1) {
      await lose(n, 2);
      expect(doubts.doubted).toEqual(n < 22 ? [] : [THIRD]);
      // Another one on the same day is no other finding.
      if (n < 22) await lose(n + 10, 2);
      if (n < 22) expect(doubts.doubted).toEqual([]);
      time.advance(findingMs);
    }
  });
});

describe("doubts", () => {
  const doubt = (doubts: DoubtedKeepers, keeper: string): DoubtedKeepers => doubtKeeper(doubts, { keeper }, START_MS, KEEPER_LIMITS);
  const counts = (doubts: DoubtedKeepers, keeper: string, nowMs = START_MS): boolean =>
    countsReceipts(doubts, keeper, nowMs, KEEPER_LIMITS);

  it("count from the first certain one on, for 30 days", () => {
    const one = doubt(NO_DOUBTS, "a");
    expect([counts(NO_DOUBTS, "a"), counts(one, "a"), counts(one, "b"), counts(one, "a", START_MS + doubtMs)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it("begin again after that time", () => {
    const light = (doubts: DoubtedKeepers, nowMs: number): DoubtedKeepers =>
      doubtKeeper(doubts, { keeper: "a", isCertain: false }, nowMs, { ...KEEPER_LIMITS, findingMs });
    const two = light(light(NO_DOUBTS, 0), findingMs);
    const late = light(two, findingMs + doubtMs);
    expect([counts(light(two, 2 * findingMs), "a", 2 * findingMs), counts(late, "a", findingMs + doubtMs)]).toEqual([false, true]);
  });

  it("give up a box that has fewer than two true keepers", () => {
    const one = doubt(NO_DOUBTS, "a");
    const needs = (doubts: DoubtedKeepers): boolean => needsOtherBox(doubts, ["a", "b", "c"], START_MS, KEEPER_LIMITS);
    expect([needs(NO_DOUBTS), needs(one), needs(doubt(one, "c"))]).toEqual([false, false, true]);
  });

  it("are bounded: the oldest goes, and a node that doubts more than a third of all is rather deceived", () => {
    const small = { ...KEEPER_LIMITS, doubted: 2 };
    const add = (doubts: DoubtedKeepers, keeper: string): DoubtedKeepers => doubtKeeper(doubts, { keeper }, START_MS, small);
    expect([...["a", "b", "a", "c"].reduce(add, NO_DOUBTS).keys()]).toEqual(["a", "c"]);
    const memory: { doubts: readonly StoredDoubt[] } = { doubts: [] };
    const keepers = Array.from({ length: 9 }, (_, n) => ({ key: `${n}` }));
    const clock = { nowMs: (): number => START_MS };
    const all = new KeeperDoubts({ memory, keepers: () => keepers, limits: KEEPER_LIMITS, clock, onError: () => undefined });
    for (const keeper of ["gone", "0", "1", "2", "3"]) all.add({ keeper });
    expect(all.doubted).toEqual(["1", "2", "3"]);
  });
});

it("has one receipt of a keeper to check, chosen by chance of all, and of so many keepers at most", async () => {
  const { sending, queue, time } = await world();
  const memory = queue.doubts;
  const audit = new ReceiptAudit({
    ...{ chainId: CHAIN_ID, ownKey: keyOf(9), relay: sending.relay, store: sending.store, memory, retentionMs: 1, timers: time },
    ...{ ranks: { keepersOf: () => undefined, isKeeper: () => true }, doubts: { add: () => undefined, counts: () => true } },
    ...{ ask: () => Promise.reject(new Error("no one")), isActive: () => true, verify: () => true, clock: time.clock(START_MS) },
    ...{
      limits: { ...KEEPER_LIMITS, audits: 2 },
      random: (length) => new Uint8Array(length).fill(255),
      log: { error: () => undefined } as never,
    },
  });
  const note = (keeper: string, n: number, bytes = 0): void =>
    audit.note(keeper, { envelope: OWNER.envelope(n, OWNER.pub, bytes), admit: null });
  note(keyOf(9), 0);
  note("a", 1, KEEPER_LIMITS.auditBytes);
  note("a", 2);
  // 2^32 − 1 is odd: of two it takes neither place but the first again.
  note("a", 3);
  note("b", 4);
  note("c", 5);
  audit.close();
  expect(queue.doubts.receipts.map(({ keeper, id }) => [keeper, id])).toEqual([
    ["a", OWNER.envelope(2).id],
    ["b", OWNER.envelope(4).id],
  ]);
});

it("does not check what it was signed for before its clock was set back: its keepers may have forgotten it in time", async () => {
  const { audit, doubts, keepers, send, pass, queue, setBack } = await world();
  const { recipient_pub, id } = await send(8);
  setBack(30 * 86_400_000);
  for (const { store } of keepers.slice(0, 3)) store.evict(recipient_pub, id);
  await pass(2 * auditMs);
  audit.close();
  expect([queue.doubts.receipts, doubts.doubted]).toEqual([[], []]);
});
