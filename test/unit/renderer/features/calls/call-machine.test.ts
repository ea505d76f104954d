// Calls between devices whose words are late, doubled and out of order.
import { describe, expect, it } from "vitest";
import { CONNECT_MS, OVER_MS, PREPARE_MS } from "#renderer/features/calls/model/call-machine.ts";
import { type CallBody, RING_MS } from "#shared/content/chat/call-content.ts";
import { ANN, BOB, Phone, START } from "./phone.ts";

const CAROL = "cc".repeat(32);

const OFFER: CallBody = { kind: "call.offer", media: "video", sdp: "offer" };
const CALL = { author: BOB, id: "05" };
const answer = (to: { readonly author: string; readonly id: string }, leg: string): CallBody => ({
  kind: "call.answer",
  to,
  leg,
  sdp: `answer ${leg}`,
});
const end = (
  to: { readonly author: string; readonly id: string },
  reason: "ended" | "declined" | "cancelled" | "busy",
  leg?: string,
): CallBody => ({
  kind: "call.end",
  to,
  reason,
  seconds: 0,
  ...(leg !== undefined && { leg }),
});

/** Ann's device while it calls Bob. */
function calling(id = "07"): Phone {
  const ann = new Phone(ANN, "a");
  ann.do({ type: "call", call: { author: ANN, id }, peer: BOB, media: "audio" });
  ann.do({ type: "sent", call: { author: ANN, id } });
  return ann;
}

/** Ann's device after it answered Bob. */
function answered(): Phone {
  const ann = new Phone(ANN, "a");
  ann.hear({ body: OFFER });
  ann.do({ type: "accept", leg: ann.leg, withVideo: false });
  ann.do({ type: "sent", call: CALL });
  return ann;
}

describe("a call that comes", () => {
  it("rings, is answered, spoken and ended with its length", () => {
    const ann = answered();
    expect(ann.phase).toBe("connecting");
    ann.do({ type: "connected", call: CALL });
    ann.nowMs += 192_000;
    expect(ann.do({ type: "hangUp" })).toEqual([
      { type: "end", call: CALL, reason: "ended", seconds: 192, leg: ann.leg },
      { type: "close" },
    ]);
    ann.pass(OVER_MS);
    expect(ann.machine.live).toBeNull();
  });

  it.each([
    ["older than it may ring", { at: START - RING_MS - 1 }, OFFER, true],
    ["from a clock that is far ahead", { at: START + RING_MS + 1 }, OFFER, true],
    ["that nothing reaches any more", {}, { ...OFFER, sdp: "" } as CallBody, true],
    ["where no one may call", {}, OFFER, false],
    ["from an own device", { isOwn: true }, OFFER, true],
  ])("does not ring when it is one %s", (_, changes, body, mayRing) => {
    const ann = new Phone(ANN, "a");
    expect(ann.hear({ body, ...changes }, mayRing)).toEqual([]);
    expect(ann.machine.live).toBeNull();
  });

  it("does not ring again once it is over, nor after its end came first", () => {
    const ann = new Phone(ANN, "a");
    ann.hear({ body: end(CALL, "cancelled") });
    ann.hear({ body: OFFER });
    expect(ann.machine.live).toBeNull();
    const other = answered();
    other.do({ type: "hangUp" });
    other.pass(OVER_MS);
    other.hear({ body: OFFER });
    expect(other.machine.live).toBeNull();
  });

  it("stops when another own device answers or declines, and when the caller gives up", () => {
    const ring = (): Phone => {
      const ann = new Phone(ANN, "a");
      ann.hear({ body: OFFER });
      return ann;
    };
    const [first, second, third] = [ring(), ring(), ring()];
    first.hear({ body: answer(CALL, "b".repeat(16)), isOwn: true });
    expect(first.machine.live?.over).toBe("elsewhere");
    second.hear({ body: end(CALL, "declined"), isOwn: true });
    expect(second.machine.live).toBeNull();
    third.hear({ body: end(CALL, "cancelled") });
    expect(third.machine.live?.over).toBe("missed");
    expect([...first.effects, ...second.effects, ...third.effects]).toEqual([]);
  });

  it("stays with the device whose answer counts: the other one is told, and cannot end it", () => {
    const ann = answered();
    ann.hear({ body: answer(CALL, "b".repeat(16)), isOwn: true });
    expect(ann.phase).toBe("connecting");
    ann.hear({ body: end(CALL, "ended", "b".repeat(16)) });
    expect(ann.phase).toBe("connecting");
    ann.hear({ body: { kind: "call.end", to: CALL, reason: "elsewhere", seconds: 0, leg: ann.leg } });
    expect(ann.machine.live?.over).toBe("elsewhere");
  });

  it("of another person meanwhile hears that it is busy; a new one of the same person takes the place of the old one", () => {
    const ann = answered();
    const other = { author: CAROL, id: "09" };
    expect(ann.hear({ body: OFFER, call: other, peer: CAROL })).toEqual([{ type: "end", call: other, reason: "busy", seconds: 0 }]);
    ann.hear({ body: OFFER, call: { author: BOB, id: "06" } });
    expect(ann.machine.live).toMatchObject({ phase: "ringing", call: { id: "06" } });
    expect(ann.effects.at(-1)).toEqual({ type: "close" });
  });

  it("cannot be ended by anyone else", () => {
    const ann = answered();
    ann.hear({ body: end(CALL, "ended"), peer: CAROL });
    expect(ann.phase).toBe("connecting");
  });
});

describe("a call that is accepted and cannot be answered", () => {
  it.each([
    ["noRelay", "relay-only"],
    ["denied", "media"],
    ["missing", "media"],
    ["failed", "failed"],
  ] as const)("says so to the other side: %s", (problem, cause) => {
    const ann = new Phone(ANN, "a");
    ann.hear({ body: OFFER });
    ann.do({ type: "accept", leg: ann.leg, withVideo: false });
    ann.do({ type: "problem", call: CALL, problem });
    expect(ann.machine.live?.over).toBe(problem);
    expect(ann.effects).toContainEqual({ type: "end", call: CALL, reason: "declined", seconds: 0, cause });
  });
});

describe("a call that is made", () => {
  const own = { author: ANN, id: "07" };

  it("takes the first answer; others hear that it was answered elsewhere, and cannot end it", () => {
    const ann = calling();
    expect(ann.hear({ body: answer(own, "1".repeat(16)) })).toEqual([{ type: "takeAnswer", call: own, sdp: `answer ${"1".repeat(16)}` }]);
    expect(ann.hear({ body: answer(own, "1".repeat(16)) })).toEqual([]);
    expect(ann.hear({ body: answer(own, "2".repeat(16)) })).toEqual([
      { type: "end", call: own, reason: "elsewhere", seconds: 0, leg: "2".repeat(16) },
    ]);
    ann.hear({ body: end(own, "declined") });
    ann.hear({ body: end(own, "ended", "2".repeat(16)) });
    expect(ann.phase).toBe("connecting");
    ann.hear({ body: end(own, "ended", "1".repeat(16)) });
    expect(ann.machine.live?.over).toBe("ended");
  });

  it.each([
    ["declined", "declined"],
    ["busy", "busy"],
  ] as const)("says that it was %s", (reason, shown) => {
    const ann = calling();
    expect(ann.hear({ body: end(own, reason) })).toEqual([{ type: "close" }]);
    expect(ann.machine.live?.over).toBe(shown);
  });

  it.each([
    ["relay-only", "theirRelay"],
    ["media", "theirMedia"],
    ["failed", "theirFailure"],
    ["of a later version", "declined"],
    ["constructor", "declined"],
  ] as const)("says why it could not be answered: %s", (cause, shown) => {
    const ann = calling();
    expect(ann.hear({ body: { kind: "call.end", to: own, reason: "declined", seconds: 0, cause } })).toEqual([{ type: "close" }]);
    expect(ann.machine.live?.over).toBe(shown);
  });

  it("gives up by itself, in every state", () => {
    const unheard = calling();
    unheard.pass(RING_MS);
    expect(unheard.machine.live?.over).toBe("noAnswer");
    expect(unheard.effects).toContainEqual({ type: "end", call: own, reason: "cancelled", seconds: 0 });
    const pathless = calling();
    pathless.hear({ body: answer(own, "1".repeat(16)) });
    pathless.pass(CONNECT_MS);
    expect(pathless.machine.live?.over).toBe("noPath");
    expect(pathless.effects).toContainEqual({ type: "end", call: own, reason: "no-path", seconds: 0 });
    const unready = new Phone(ANN, "a");
    unready.do({ type: "call", call: own, peer: BOB, media: "audio" });
    unready.pass(PREPARE_MS);
    expect(unready.machine.live?.over).toBe("failed");
  });

  it("is not made while there is another one, and an answer to a call of another device is not this one's", () => {
    const ann = calling();
    expect(ann.do({ type: "call", call: { author: ANN, id: "08" }, peer: CAROL, media: "audio" })).toEqual([]);
    const other = new Phone(ANN, "b");
    expect(other.hear({ body: answer(own, "1".repeat(16)) })).toEqual([]);
  });

  it("at the same time as theirs: both sides go on with the call of the smaller id", () => {
    const winner = calling("04");
    expect(winner.hear({ body: OFFER })).toEqual([]);
    expect(winner.machine.live).toMatchObject({ phase: "calling", call: { id: "04" } });
    const loser = calling("07");
    expect(loser.hear({ body: OFFER }).map(({ type }) => type)).toEqual(["end", "close", "prepareAnswer"]);
    expect(loser.effects).toContainEqual({ type: "end", call: own, reason: "crossed", seconds: 0 });
    expect(loser.machine.live).toMatchObject({ phase: "answering", call: { id: "05" }, leg: loser.leg });
    const unready = new Phone(ANN, "a");
    unready.do({ type: "call", call: { author: ANN, id: "04" }, peer: BOB, media: "audio" });
    // Its offer may be leaving at this moment.
    expect(unready.hear({ body: OFFER }).map(({ type }) => type)).toEqual(["end", "close", "prepareAnswer"]);
  });

  it("is taken back where its offer leaves while it is given up, or cannot be sent", () => {
    const preparing = (): Phone => {
      const ann = new Phone(ANN, "a");
      ann.do({ type: "call", call: own, peer: BOB, media: "audio" });
      return ann;
    };
    const withdrawn = [{ type: "end", call: own, reason: "cancelled", seconds: 0 }, { type: "close" }];
    expect(preparing().do({ type: "hangUp" })).toEqual(withdrawn);
    expect(preparing().do({ type: "problem", call: own, problem: "failed" })).toEqual(withdrawn);
  });

  it("says nothing more when answers are laid into the mailbox again, once it is over too", () => {
    const ann = calling();
    ann.hear({ body: answer(own, "1".repeat(16)) });
    ann.hear({ body: answer(own, "2".repeat(16)) });
    ann.do({ type: "hangUp" });
    ann.pass(OVER_MS);
    for (const leg of ["1", "2", "2"]) expect(ann.hear({ body: answer(own, leg.repeat(16)) })).toEqual([]);
  });
});
