import { describe, expect, it } from "vitest";
import type { LinkPart } from "#shared/linking/link-message.ts";
import { AskingPace, FIRST_AHEAD, MOST_AHEAD, ReceivedParts, SentParts } from "#shared/messenger/transfer/parts-under-way.ts";

const END = 10;

/** The part between two numbered marks of a transfer of ten. */
function partAt(number: number): LinkPart {
  const isLast = number === END - 1;
  return { kind: "part", from: `m${number}`, next: `m${number + 1}`, isLast, done: number + 1, total: END, data: new Uint8Array(1) };
}

const marksOf = (parts: readonly LinkPart[]): readonly string[] => parts.map(({ from }) => from);

describe("parts that were sent", () => {
  const ask = { after: "m0", ahead: 4, again: false };

  /** What a sender sends for a request, as numbers of parts. */
  function sends(sent: SentParts, want: typeof ask): readonly number[] {
    const { mark, count } = sent.next(want);
    const first = Number(mark.slice(1));
    const numbers = Array.from({ length: count }, (_, index) => first + index).filter((number) => number < END);
    for (const number of numbers) sent.note(partAt(number));
    return numbers;
  }

  it("are not sent again: each request adds as many as have come", () => {
    const sent = new SentParts();
    expect(sends(sent, ask)).toEqual([0, 1, 2, 3]);
    expect(sends(sent, ask)).toEqual([]);
    expect(sends(sent, { ...ask, after: "m3" })).toEqual([4, 5, 6]);
    expect(sends(sent, { ...ask, after: "m4" })).toEqual([7]);
  });

  it("are sent again where that is asked for, after a failure, and after a mark that is not of these", () => {
    const sent = new SentParts();
    sends(sent, ask);
    expect(sends(sent, { ...ask, after: "m1", again: true })).toEqual([1, 2, 3, 4]);
    sent.forget();
    expect(sends(sent, { ...ask, after: "m2" })).toEqual([2, 3, 4, 5]);
    expect(sends(sent, { ...ask, after: "m7" })).toEqual([7, 8, 9]);
  });

  it("end with the last one, which can be asked for again", () => {
    const sent = new SentParts();
    expect(sends(sent, { ...ask, after: "m8" })).toEqual([8, 9]);
    expect(sends(sent, { ...ask, after: "m9" })).toEqual([]);
    expect(sends(sent, { ...ask, after: "m9", again: true })).toEqual([9]);
  });
});

describe("parts that came", () => {
  it("are taken in their order, whichever came first, and each once", () => {
    const received = new ReceivedParts(8);
    for (const number of [2, 1, 3, 5]) received.add(partAt(number), 0);
    expect(received.take("m0", 8)).toEqual([]);
    received.add(partAt(0), 0);
    expect(marksOf(received.take("m0", 3))).toEqual(["m0", "m1", "m2"]);
    expect(marksOf(received.take("m3", 3))).toEqual(["m3"]);
    expect(received.take("m0", 8)).toEqual([]);
    received.clear();
    expect(received.take("m5", 8)).toEqual([]);
  });

  it("are bounded, and none of what is done is kept", () => {
    const received = new ReceivedParts(2);
    received.add(partAt(0), 1);
    received.add({ ...partAt(0), done: 0 }, 1);
    expect(marksOf(received.take("m0", 8))).toEqual(["m0"]);
    received.add({ ...partAt(1), done: 0 }, 1);
    expect(received.take("m1", 8)).toEqual([]);
    for (const number of [4, 5, 6]) received.add(partAt(number), 0);
    expect(received.take("m4", 8)).toEqual([]);
    expect(marksOf(received.take("m5", 8))).toEqual(["m5", "m6"]);
  });
});

describe("asking", () => {
  it("begins when the mailbox is empty, continues with what comes, and asks for more while that is fast", () => {
    const pace = new AskingPace();
    expect(pace.due(false, 0)).toBeUndefined();
    expect(pace.due(true, 0)).toEqual({ ahead: FIRST_AHEAD, again: true });
    expect(pace.due(true, 100)).toBeUndefined();
    let ahead = FIRST_AHEAD;
    for (let nowMs = 200; nowMs < 2_000; nowMs += 200) {
      pace.note(MOST_AHEAD, true, nowMs);
      const asked = pace.due(false, nowMs);
      expect(asked?.again).toBe(false);
      expect(asked?.ahead).toBeGreaterThanOrEqual(ahead);
      ahead = asked?.ahead ?? 0;
    }
    expect(ahead).toBe(MOST_AHEAD);
    pace.note(1, true, 2_000);
    expect(pace.due(false, 2_000)).toBeUndefined();
  });

  it("stays with few where they are slow", () => {
    const pace = new AskingPace();
    pace.due(true, 0);
    for (let nowMs = 5_000; nowMs < 60_000; nowMs += 5_000) {
      pace.note(2, true, nowMs);
      expect(pace.due(false, nowMs)).toEqual({ ahead: FIRST_AHEAD, again: false });
    }
  });

  it("waits for a whole window of a device that knows no other way", () => {
    const pace = new AskingPace();
    pace.due(true, 0);
    pace.note(FIRST_AHEAD - 1, false, 100);
    expect(pace.due(true, 100)).toBeUndefined();
    pace.note(1, false, 200);
    expect(pace.due(true, 200)).toMatchObject({ again: false });
  });

  it("asks again after six seconds of silence, then after twice as long each time, up to five minutes", () => {
    const pace = new AskingPace();
    pace.due(true, 0);
    const pauses: number[] = [];
    let askedMs = 0;
    for (let nowMs = 0; pauses.length < 9; nowMs += 500) {
      const asked = pace.due(true, nowMs);
      if (asked === undefined) continue;
      expect(asked).toEqual({ ahead: FIRST_AHEAD, again: true });
      pauses.push((nowMs - askedMs) / 1_000);
      askedMs = nowMs;
    }
    expect(pauses).toEqual([6, 12, 24, 48, 96, 192, 300, 300, 300]);
  });

  it("notices sooner that fast parts have stopped, and asks for few then; at once where there was no room", () => {
    const pace = new AskingPace();
    pace.due(true, 0);
    for (let nowMs = 100; nowMs <= 1_000; nowMs += 100) {
      pace.note(MOST_AHEAD, true, nowMs);
      pace.due(false, nowMs);
    }
    expect(pace.due(true, 2_900)).toBeUndefined();
    expect(pace.due(true, 3_000)).toEqual({ ahead: FIRST_AHEAD, again: true });
    pace.reset();
    expect(pace.due(true, 3_001)).toMatchObject({ again: true });
  });
});
