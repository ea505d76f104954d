import { describe, expect, it } from "vitest";
import { CodedError } from "#shared/errors/coded-error.ts";
import { isFinal } from "#shared/messenger/model/problem.ts";
import type { OutboxRecord } from "#shared/messenger/model/records.ts";
import { KeyDirectory, recipientKeys } from "#shared/messenger/state/key-directory.ts";
import { OutboxQueue } from "#shared/messenger/state/outbox/outbox-queue.ts";
import { SerialQueue } from "#shared/messenger/store/serial-queue.ts";
import { keepSame } from "#shared/util/keep-same.ts";
import { ValueStore } from "#shared/util/value-store.ts";
import { ManualTime } from "#test/support/worlds/keyring-world.ts";
import { TestNode, TestRelay } from "#test/support/worlds/messenger-world.ts";

const [MASTER, DEVICE, OTHER] = ["aa".repeat(32), "bb".repeat(32), "cc".repeat(32)];

describe("recipient keys", () => {
  it("are the devices, else the identity's own key, else an error", () => {
    expect(recipientKeys({ devices: [DEVICE, OTHER, DEVICE], identityKey: MASTER })).toEqual([DEVICE, OTHER]);
    expect(recipientKeys({ devices: [], identityKey: OTHER })).toEqual([OTHER]);
    expect(() => recipientKeys({ devices: [], identityKey: "" })).toThrowError(expect.objectContaining({ code: "NO_ENCRYPTION_KEY" }));
  });
});

describe("key directory", () => {
  it("trusts a listed key for a minute, asks soon again for one that is not listed, and always for sending", async () => {
    const relay = new TestRelay();
    const node = new TestNode(relay);
    const time = new ManualTime();
    const directory = new KeyDirectory(node, time);
    const asked = (): number => node.calls.length;
    expect(await directory.holds(MASTER, DEVICE)).toBe(false);
    relay.link(MASTER, DEVICE);
    expect(await directory.holds(MASTER, DEVICE)).toBe(false);
    expect(asked()).toBe(1);
    time.advance(3_000);
    expect(await directory.holds(MASTER, DEVICE)).toBe(true);
    expect(asked()).toBe(2);
    relay.unlink(MASTER, DEVICE);
    time.advance(59_000);
    expect(await directory.holds(MASTER, DEVICE)).toBe(true);
    time.advance(1_000);
    expect(await directory.holds(MASTER, DEVICE)).toBe(false);
    expect((await directory.fetch(MASTER)).devices).toEqual([]);
    expect(directory.ownerOf(DEVICE)).toBeUndefined();
  });

  it("takes what it was to expect once, and for three seconds", async () => {
    const node = new TestNode(new TestRelay());
    const time = new ManualTime();
    const directory = new KeyDirectory(node, time);
    directory.expect([MASTER, OTHER, MASTER]);
    expect(node.calls.length).toBe(2);
    await directory.fetch(MASTER);
    expect(node.calls.length).toBe(2);
    await directory.fetch(MASTER);
    expect(node.calls.length).toBe(3);
    time.advance(3_000);
    await directory.fetch(OTHER);
    expect(node.calls.length).toBe(4);
    // Who takes it before it comes sees why it did not come; later, it is asked for again.
    node.refuse = (): CodedError => new CodedError("UNAVAILABLE", "down");
    directory.expect([MASTER]);
    await expect(directory.fetch(MASTER)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    directory.expect([MASTER]);
    await new Promise(setImmediate);
    node.refuse = (): undefined => undefined;
    expect((await directory.fetch(MASTER)).devices).toEqual([]);
  });

  it("does not ask again while what it was to expect is young", async () => {
    const node = new TestNode(new TestRelay());
    const time = new ManualTime();
    const directory = new KeyDirectory(node, time);
    directory.expect([MASTER]);
    time.advance(1_999);
    directory.expect([MASTER]);
    expect(node.calls.length).toBe(1);
    time.advance(1);
    directory.expect([MASTER]);
    expect(node.calls.length).toBe(2);
    time.advance(2_000);
    await directory.fetch(MASTER);
    expect(node.calls.length).toBe(2);
  });

  it("says what has come of what it was to expect, for as long as it would be taken", async () => {
    const relay = new TestRelay();
    relay.link(MASTER, DEVICE);
    const node = new TestNode(relay);
    const time = new ManualTime();
    const directory = new KeyDirectory(node, time);
    directory.expect([MASTER, OTHER]);
    expect(directory.arrivedOf([MASTER])).toBeUndefined();
    await new Promise(setImmediate);
    expect(directory.arrivedOf([MASTER, OTHER])?.get(MASTER)?.devices).toEqual([DEVICE]);
    time.advance(2_999);
    // What is sent now takes it, and asks for nothing.
    directory.expectNow([MASTER]);
    expect(directory.arrivedOf([MASTER])?.get(MASTER)?.devices).toEqual([DEVICE]);
    expect(node.calls.length).toBe(2);
    time.advance(1);
    expect(directory.arrivedOf([MASTER])).toBeUndefined();
    directory.expectNow([MASTER]);
    expect(node.calls.length).toBe(3);
    // A failure is no answer.
    await new Promise(setImmediate);
    time.advance(3_000);
    node.refuse = (): CodedError => new CodedError("UNAVAILABLE", "down");
    directory.expectNow([MASTER]);
    await new Promise(setImmediate);
    expect(directory.arrivedOf([MASTER])).toBeUndefined();
  });

  it("passes on that the node cannot answer, but not that it refuses the name", async () => {
    const node = new TestNode(new TestRelay());
    const directory = new KeyDirectory(node, new ManualTime());
    node.refuse = (): CodedError => new CodedError("BAD_REQUEST", "no key");
    expect(await directory.holds(MASTER, DEVICE)).toBe(false);
    node.refuse = (): CodedError => new CodedError("UNAVAILABLE", "down");
    await expect(directory.holds(MASTER, DEVICE)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});

describe("final errors", () => {
  it.each([
    ["BAD_REQUEST", true],
    ["MAILBOX_FULL", true],
    ["NO_ENCRYPTION_KEY", true],
    ["PAYLOAD_TOO_LARGE", true],
    ["UNAVAILABLE", false],
    ["RATE_LIMITED", false],
    ["UNAUTHORIZED", false],
    ["INTERNAL", false],
    ["KEYRING_LOCKED", false],
    ["DEVICE_NOT_PUBLISHED", false],
  ] as const)("%s: %s", (code, expected) => {
    expect(isFinal(new CodedError(code, "x"))).toBe(expected);
  });

  it("are never those without a code", () => {
    expect(isFinal(new Error("x"))).toBe(false);
  });
});

describe("outbox queue", () => {
  const entry = (seq: number, isFailed = false): OutboxRecord => ({
    seq,
    peer: MASTER,
    task: { kind: "message", key: `k${seq}`, id: String(seq), at: 1, body: { kind: "text", text: "x" } },
    queuedAt: 1,
    done: [],
    isRelayed: false,
    isFailed,
  });

  it("gives entries in order, failed ones never", () => {
    const queue = new OutboxQueue([entry(3), entry(1), entry(2, true)], 7, new ManualTime());
    expect(queue.nextRound(0).map(({ record }) => record.seq)).toEqual([1, 3]);
    expect(queue.waiting.map(({ record }) => record.seq)).toEqual([1, 3]);
    expect(queue.nextSeq()).toBe(8);
    expect(queue.messageEntriesOf("k2")[0]?.isFailed).toBe(true);
  });

  it("gives what waits together, much in portions, chunks last and for one content", () => {
    const seqs = (queue: OutboxQueue): readonly number[] => queue.nextRound(0).map(({ record }) => record.seq);
    const chunk = (seq: number, index: number): OutboxRecord => ({ ...entry(seq), task: { kind: "chunk", key: "f", id: "file", index } });
    const same = (seq: number): OutboxRecord => ({ ...entry(seq), peer: `${seq}`, task: entry(10).task });
    const queue = new OutboxQueue(
      [chunk(1, 0), chunk(2, 0), chunk(3, 1), entry(9), same(10), same(11), entry(12), same(13)],
      13,
      new ManualTime(),
    );
    expect(seqs(queue)).toEqual([9, 10, 11, 12, 13]);
    queue.delete(9);
    queue.postpone(11, 0, 0);
    expect(seqs(queue)).toEqual([10, 12, 13]);
    queue.retryNow();
    expect(seqs(queue)).toEqual([10, 11, 12, 13]);
    for (const seq of [10, 11, 12, 13]) queue.delete(seq);
    expect(seqs(queue)).toEqual([1, 2]);
    for (const seq of [1, 2]) queue.delete(seq);
    expect(seqs(queue)).toEqual([3]);
    const many = new OutboxQueue(
      Array.from({ length: 140 }, (_, n) => same(n + 1)),
      140,
      new ManualTime(),
    );
    expect(seqs(many)).toHaveLength(128);
  });

  it("gives chunks that one device asked for together, in portions, and none that are held", () => {
    const asked = (seq: number, device: string): OutboxRecord => ({
      ...entry(seq),
      task: { kind: "chunk", key: "f", id: "file", index: seq, device },
    });
    const queue = new OutboxQueue([1, 2, 3, 4, 5].map((seq) => asked(seq, "d1")).concat(asked(6, "d2")), 6, new ManualTime());
    const seqs = (isHeld?: (record: OutboxRecord) => boolean): readonly number[] =>
      queue.nextRound(0, isHeld).map(({ record }) => record.seq);
    expect(seqs()).toEqual([1, 2, 3, 4]);
    const ofFirst = ({ task }: OutboxRecord): boolean => "device" in task && task.device === "d1";
    expect(seqs(ofFirst)).toEqual([6]);
    expect(queue.delayMs(0, ofFirst)).toBe(0);
    expect(queue.delayMs(0, () => true)).toBeUndefined();
    expect(queue.chunksFor("d1")).toEqual(new Set(["file 1", "file 2", "file 3", "file 4", "file 5"]));
  });

  it("counts what devices ask for, and gives none of them more than so much a day", () => {
    const { served } = new OutboxQueue([], 0, new ManualTime());
    const day = 86_400_000;
    expect(served.take("d1", 0, 2_400)).toBe(true);
    expect(served.take("d1", day - 1, 1)).toBe(false);
    expect(served.take("d2", 0, 1)).toBe(true);
    expect(served.take("d1", day, 1)).toBe(true);
  });

  it("doubles the delay up to five minutes and restarts when retried at once", () => {
    const queue = new OutboxQueue([entry(1)], 1, new ManualTime());
    const delays: number[] = [];
    for (let attempt = 0; attempt < 10; attempt += 1) {
      queue.postpone(1, 1_000, 0.5);
      delays.push(queue.delayMs(1_000) ?? -1);
    }
    expect(delays).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((seconds) => seconds * 1_000));
    expect(queue.nextRound(300_999)).toEqual([]);
    expect(queue.nextRound(301_000).map(({ record }) => record.seq)).toEqual([1]);
    queue.retryNow();
    expect(queue.delayMs(1_000)).toBe(0);
    queue.postpone(1, 0, 0);
    expect(queue.delayMs(0)).toBe(1_500);
  });

  it("has nothing to wait for when it is empty or all has failed", () => {
    expect(new OutboxQueue([entry(1, true)], 1, new ManualTime()).delayMs(0)).toBeUndefined();
  });
});

describe("serial queue", () => {
  it("runs in order, survives failures, and ends with what it has", async () => {
    const queue = new SerialQueue();
    const done: number[] = [];
    const failing = queue.run(() => Promise.reject(new Error("one")));
    const second = queue.run(async () => void done.push(2));
    const closing = queue.close();
    await expect(queue.run(async () => void done.push(3))).rejects.toMatchObject({ code: "MESSENGER_UNAVAILABLE" });
    await expect(failing).rejects.toThrow("one");
    await Promise.all([second, closing]);
    expect(done).toEqual([2]);
  });
});

describe("value store", () => {
  it("builds once per change and tells listeners until they leave", () => {
    let built = 0;
    let calls = 0;
    const value = new ValueStore(() => {
      built += 1;
      return { built };
    });
    const { getSnapshot, subscribe } = value;
    const leave = subscribe(() => {
      calls += 1;
    });
    expect(getSnapshot()).toBe(getSnapshot());
    value.invalidate();
    value.invalidate();
    expect(getSnapshot()).toEqual({ built: 2 });
    leave();
    value.invalidate();
    expect(calls).toBe(2);
  });

  it("tells listeners nothing where all of it is kept", () => {
    let [count, calls] = [1, 0];
    const value = new ValueStore(() => ({ count, list: [count] }), keepSame);
    value.subscribe(() => {
      calls += 1;
    });
    const first = value.getSnapshot();
    value.invalidate();
    expect([value.getSnapshot() === first, calls]).toEqual([true, 0]);
    count = 2;
    value.invalidate();
    expect([value.getSnapshot(), calls]).toEqual([{ count: 2, list: [2] }, 1]);
  });
});
