import { describe, expect, it } from "vitest";
import { MAX_RECEIPT_IDS } from "#shared/content/content.ts";
import { Change } from "#shared/messenger/changes/change.ts";
import { queueReceipt, type ReceiptTask } from "#shared/messenger/changes/chats/queue-receipt.ts";
import type { OutboxRecord, OutboxTask } from "#shared/messenger/model/records.ts";
import { newPairRecord, type PairRecord } from "#shared/messenger/pairs/pair-record.ts";
import { COVER_WAITS, drawWait } from "#shared/messenger/state/outbox/cover-waits.ts";
import { takeTurns } from "#shared/messenger/state/outbox/later-devices.ts";
import { OutboxQueue } from "#shared/messenger/state/outbox/outbox-queue.ts";
import { ManualTime } from "#test/support/worlds/keyring-world.ts";

const ME = "aa".repeat(32);
const BOB = "bb".repeat(32);
const MINE = "mine";
const NOW_MS = 1_800_000_000_000;
const { receipts, further } = COVER_WAITS;

const entry = (seq: number, task: OutboxTask, more: Partial<OutboxRecord> = {}): OutboxRecord => ({
  ...{ seq, peer: BOB, task, queuedAt: NOW_MS, done: [], isRelayed: false, isFailed: false },
  ...more,
});
const text = (seq: number): OutboxTask => ({ kind: "message", key: `k${seq}`, id: String(seq), at: 1, body: { kind: "text", text: "x" } });

describe("the queue", () => {
  const queueOf = (more: Partial<OutboxRecord>, time = new ManualTime(NOW_MS)): OutboxQueue =>
    new OutboxQueue([entry(1, text(1), more)], 1, time);

  it("lets an entry wait until its time, and the rest of it until the first of the devices that are left", () => {
    expect(queueOf({ leavesAt: NOW_MS + 7_000 }).delayMs(NOW_MS)).toBe(7_000);
    expect(queueOf({ later: { d1: NOW_MS + 4_000, d2: NOW_MS + 1_000 } }).delayMs(NOW_MS)).toBe(1_000);
    expect(queueOf({ later: { d1: NOW_MS + 4_000, d2: NOW_MS + 1_000 }, done: ["d2"] }).delayMs(NOW_MS)).toBe(4_000);
    expect(queueOf({ later: { d1: NOW_MS + 4_000 } }).nextRound(NOW_MS + 3_999)).toEqual([]);
    expect(queueOf({ later: { d1: NOW_MS + 4_000 } }).nextRound(NOW_MS + 4_000)).toHaveLength(1);
  });

  it.each([-10, 10])("holds nothing longer than anything waits, whatever the clock was %i years from now", (years) => {
    const atMs = NOW_MS + years * 31_557_600_000;
    expect(queueOf({ leavesAt: atMs }).delayMs(NOW_MS)).toBe(years < 0 ? 0 : receipts.mostMs);
    expect(queueOf({ later: { d1: atMs } }).delayMs(NOW_MS)).toBe(years < 0 ? 0 : further.mostMs);
  });

  it("goes by the monotonic clock once it is loaded, and tries again what failed before the others' time", () => {
    const queue = queueOf({ later: { d1: NOW_MS + 4_000 } });
    queue.postpone(1, NOW_MS, 0.5);
    expect(queue.delayMs(NOW_MS)).toBe(2_000);
    queue.retryNow(1);
    expect(queue.delayMs(NOW_MS)).toBe(4_000);
    expect(queue.endCover()).toBe(true);
    expect(queue.delayMs(NOW_MS)).toBe(0);
    expect(queue.endCover()).toBe(false);
  });
});

it("lets a queue that is full of what waits keep nothing from leaving, and all of it leaves in its order", () => {
  const time = new ManualTime(NOW_MS);
  const count = 300;
  const held = Array.from({ length: count }, (_, at) => entry(at + 1, text(at + 1), { later: { d1: NOW_MS + 1 + at } }));
  const queue = new OutboxQueue(held, count, time);
  queue.set(entry(queue.nextSeq(), text(count + 1)));
  const seqs = (): readonly number[] => queue.nextRound(time.monotonicMs()).map(({ record }) => record.seq);
  expect(seqs()).toEqual([count + 1]);
  queue.delete(count + 1);
  expect(queue.delayMs(time.monotonicMs())).toBe(1);
  time.advance(further.mostMs);
  const left: number[] = [];
  for (let round = seqs(); round.length > 0; round = seqs()) {
    left.push(...round);
    for (const seq of round) queue.delete(seq);
  }
  expect(left).toEqual(held.map(({ seq }) => seq));
});

it("puts nothing before what waits for the same device, though one clock counts whole milliseconds", () => {
  const time = new ManualTime(NOW_MS);
  const queue = new OutboxQueue([entry(1, text(1), { later: { d1: NOW_MS + 1_000 } })], 2, time);
  queue.set(entry(2, text(2), { later: { d1: NOW_MS + 999 } }));
  expect([1, 2].map((seq) => queue.waitFor(seq, "d1"))).toEqual([1_000, 1_000]);
  time.advance(1_000);
  queue.set(entry(3, text(3), { later: { d1: time.nowMs() + 500 } }));
  expect(queue.waitFor(3, "d1")).toBe(500);
});

it("lets a change send what it adds, and neither what has a time of its own nor what waits already", () => {
  const time = new ManualTime(NOW_MS);
  const waiting = entry(1, text(1), { later: { d1: NOW_MS + 1_000 } });
  const outbox = new OutboxQueue([waiting], 1, time);
  const change = new Change({ outbox, clock: time, store: { begin: () => ({}) } } as unknown as ConstructorParameters<typeof Change>[0]);
  change.putOutbox({ ...waiting, isRelayed: true });
  change.queue(BOB, { kind: "receipt", status: "delivered", ids: ["a"] }, NOW_MS + 5_000);
  change.queue(BOB, text(3));
  expect(change.leaving.map(({ seq }) => seq)).toEqual([3]);
});

describe("turns", () => {
  const heard = (device: string, atMs: number, atHandMs?: number): PairRecord => {
    const record = newPairRecord(BOB, device, "01".repeat(8), 0);
    const theirs = { heardAt: { ownMs: atMs, blockMs: 0 } } as NonNullable<PairRecord["state"]["theirs"]>;
    const hand = atHandMs === undefined ? {} : { atHandAt: { ownMs: atHandMs, blockMs: 0 } };
    return { ...record, state: { ...record.state, theirs }, ...hand };
  };
  const parts = [
    { to: BOB, body: { kind: "mark" }, devices: ["laptop", "phone"], identity: undefined },
    { to: ME, body: { kind: "mark" }, devices: [MINE], identity: undefined },
  ] as const;
  const turns = (records: readonly OutboxRecord[], pairs: readonly PairRecord[], draws: number[] = []): ReturnType<typeof takeTurns> =>
    takeTurns(
      {
        account: { masterPub: ME },
        pairs: { get: (device: string) => pairs.find((pair) => pair.device === device) },
        outbox: new OutboxQueue(records, records.length, new ManualTime(NOW_MS)),
        clock: new ManualTime(NOW_MS),
        random: () => new Uint8Array([draws.shift() ?? 128, 0]),
        cover: COVER_WAITS,
      } as unknown as Parameters<typeof takeTurns>[0],
      records.map((record) => ({ record, parts })),
    );
  const leaving = ([turn]: ReturnType<typeof takeTurns>): readonly string[] => turn?.parts.flatMap(({ devices }) => devices) ?? [];

  it("serves the device at hand first, else the one heard last, and all where the chain alone knows them", () => {
    const one = [entry(1, text(1))];
    expect(leaving(turns(one, [heard("laptop", 9, 3), heard("phone", 5, 4)]))).toEqual(["phone"]);
    expect(leaving(turns(one, [heard("laptop", 9), heard("phone", 5)]))).toEqual(["laptop"]);
    expect(leaving(turns(one, []))).toEqual(["laptop", "phone"]);
    const [turn] = turns(one, [heard("laptop", 9), heard("phone", 5)]);
    expect(Object.keys(turn?.later ?? {})).toEqual(["phone", "mine"]);
  });

  it("lets nothing overtake what waits for the same device", () => {
    const pairs = [heard("laptop", 9), heard("phone", 5)];
    const [first, second] = turns([entry(1, text(1)), entry(2, text(2))], pairs, [255, 255, 0, 0]);
    expect(second?.later?.[MINE]).toBe(first?.later?.[MINE]);
    const waiting = entry(1, text(1), { later: { mine: NOW_MS + 4_900 } });
    expect(turns([waiting, entry(2, text(2))], pairs, [0, 0])[1]?.later?.[MINE]).toBe(NOW_MS + 4_900);
  });

  it("waits no longer for the time of a device that is not listed any more", () => {
    const waiting = entry(1, text(1), { later: { unlinked: NOW_MS, mine: NOW_MS + 4_900 }, done: ["laptop"] });
    const [turn] = turns([waiting], [heard("laptop", 9)]);
    expect(turn).toMatchObject({ later: { mine: NOW_MS + 4_900 }, isCovered: true });
    expect(turn?.later).not.toHaveProperty("unlinked");
    const settled = entry(1, text(1), { later: { mine: NOW_MS + 4_900 } });
    expect(turns([settled], [])[0]?.later).toBeUndefined();
  });

  it("rings everywhere at once, says so of a payment, and never waits for a device that asked", () => {
    const pairs = [heard("laptop", 9), heard("phone", 5)];
    const say = (kind: string): OutboxTask => ({ ...text(1), body: { kind } }) as unknown as OutboxTask;
    for (const task of [say("call.end"), say("pay.receipt"), { kind: "ask", device: "phone", stream: "01", positions: [1] } as const])
      expect(leaving(turns([entry(1, task)], pairs))).toEqual(["laptop", "phone", "mine"]);
  });

  it("copies nothing of a group to own devices in the moment in which it leaves", () => {
    const task = { ...text(1), group: { id: "01", keeper: ME } } as OutboxTask;
    expect(leaving(turns([entry(1, task, { peer: ME })], []))).toEqual(["laptop", "phone"].slice(2));
  });
});

describe("receipts", () => {
  function world(): { readonly time: ManualTime; readonly queue: OutboxQueue; readonly say: (task: ReceiptTask, draw?: number) => void } {
    const time = new ManualTime(NOW_MS);
    const queue = new OutboxQueue([], 0, time);
    const change = {
      queue: (peer: string, task: OutboxTask, leavesAt: number) => queue.set(entry(queue.nextSeq(), task, { peer, leavesAt })),
      putOutbox: (record: OutboxRecord) => queue.set(record),
      deleteOutbox: (seq: number) => queue.delete(seq),
      outboxRecord: (seq: number) => queue.get(seq)?.record,
    } as unknown as Change;
    const say = (task: ReceiptTask, draw = 255): void =>
      queueReceipt({ outbox: queue, clock: time, random: () => new Uint8Array([draw, draw]), cover: COVER_WAITS }, change, BOB, task);
    return { time, queue, say };
  }
  const receipt = (status: "delivered" | "read", ...ids: readonly string[]): ReceiptTask => ({ kind: "receipt", status, ids });
  const tasks = (queue: OutboxQueue): readonly OutboxTask[] => queue.waiting.map(({ record }) => record.task);

  it("wait between two and twenty seconds", () => {
    expect([0, 255].map((draw) => drawWait(receipts, () => new Uint8Array([draw, draw])))).toEqual([2_000, 20_000]);
    const { queue, say } = world();
    say(receipt("delivered", "a"));
    expect(queue.delayMs(NOW_MS)).toBe(20_000);
  });

  it("grow while they wait, and never so late that the last one is said at once", () => {
    const { time, queue, say } = world();
    say(receipt("delivered", "a"));
    time.advance(10_000);
    say(receipt("delivered", "b"));
    expect(tasks(queue)).toEqual([receipt("delivered", "a", "b")]);
    expect(queue.delayMs(time.monotonicMs())).toBe(10_000);
    time.advance(9_000);
    say(receipt("delivered", "c"));
    expect(tasks(queue)).toEqual([receipt("delivered", "a", "b"), receipt("delivered", "c")]);
  });

  it("say of what was read that alone, beside what own devices learn", () => {
    const { queue, say } = world();
    say(receipt("delivered", "a", "b"));
    say({ kind: "readMark", ids: ["a"] });
    say(receipt("read", "a"));
    expect(tasks(queue)).toEqual([receipt("delivered", "b"), { kind: "readMark", ids: ["a"] }, receipt("read", "a")]);
    say(receipt("read", "b"));
    expect(tasks(queue)).toEqual([{ kind: "readMark", ids: ["a"] }, receipt("read", "a", "b")]);
  });

  it("leave what is under way alone, and have a limit each", () => {
    const { time, queue, say } = world();
    say(receipt("delivered", "a"), 0);
    time.advance(2_000);
    say(receipt("read", "a"));
    expect(tasks(queue)).toEqual([receipt("delivered", "a"), receipt("read", "a")]);
    const many = Array.from({ length: MAX_RECEIPT_IDS }, (_, id) => String(id));
    say(receipt("read", ...many));
    expect(tasks(queue)).toHaveLength(3);
  });
});
