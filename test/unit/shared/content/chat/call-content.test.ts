// What remains of a call: the same in any order of arrival, and said by those who may say it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CALL_CAUSES,
  CALL_ENDS,
  type CallRecord,
  MAX_CALL_S,
  RING_MS,
  withAnswer,
  withEnd,
  withoutSdp,
} from "#shared/content/chat/call-content.ts";
import { outcomeOf } from "#shared/content/chat/call-outcome.ts";

interface EndStep {
  readonly reason: (typeof CALL_ENDS)[number];
  readonly seconds: number;
  readonly isAuthor: boolean;
  readonly cause?: string;
}
type Step = { readonly at: number } | EndStep;

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ at: fc.nat(1_000) }),
    fc.record({ reason: fc.constantFrom(...CALL_ENDS), seconds: fc.integer({ min: 0, max: MAX_CALL_S }), isAuthor: fc.boolean() }),
    fc.record({
      reason: fc.constantFrom("declined" as const, "no-path" as const),
      seconds: fc.constant(0),
      isAuthor: fc.boolean(),
      cause: fc.constantFrom(...CALL_CAUSES, "of a later version"),
    }),
  ),
  { maxLength: 8 },
);

function fold(all: readonly Step[]): CallRecord {
  return all.reduce<CallRecord>(
    (known, step) => ("at" in step ? withAnswer(known, step.at) : withEnd(known, step, step.isAuthor)) ?? known,
    {},
  );
}

describe("what is stored of a call", () => {
  it("is the same in any order, and when all of it comes twice", () => {
    const shuffled = steps.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all], { minLength: all.length })));
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        expect(fold(other)).toEqual(fold(all));
        expect(fold([...all, ...other])).toEqual(fold(all));
      }),
    );
  });

  it("has an end that the one who says so may say", () => {
    const end = (reason: (typeof CALL_ENDS)[number], isAuthor: boolean): CallRecord | undefined =>
      withEnd(undefined, { reason, seconds: 0 }, isAuthor);
    for (const reason of ["cancelled", "crossed"] as const) {
      expect(end(reason, true)?.end?.reason).toBe(reason);
      expect(end(reason, false)).toBeUndefined();
    }
    for (const reason of ["declined", "busy"] as const) {
      expect(end(reason, false)?.end?.reason).toBe(reason);
      expect(end(reason, true)).toBeUndefined();
    }
    for (const isAuthor of [true, false]) {
      expect(end("elsewhere", isAuthor)).toBeUndefined();
      expect(end("no-path", isAuthor)?.end?.reason).toBe("no-path");
    }
  });

  it("is shown as what became of it", () => {
    const at = (call: CallRecord, nowMs = RING_MS): unknown => outcomeOf(call, 0, nowMs);
    expect(at({}, RING_MS - 1)).toEqual({ kind: "open" });
    expect(at({})).toEqual({ kind: "missed" });
    expect(at({ answeredAt: 1 })).toEqual({ kind: "spoken", seconds: null });
    expect(at({ answeredAt: 1, end: { reason: "ended", seconds: 192 } })).toEqual({ kind: "spoken", seconds: 192 });
    expect(at({ end: { reason: "ended", seconds: 0 } })).toEqual({ kind: "missed" });
    expect(at({ end: { reason: "cancelled", seconds: 0 } }, 0)).toEqual({ kind: "missed" });
    for (const reason of ["declined", "busy", "no-path", "crossed"] as const)
      expect(at({ end: { reason, seconds: 0 } })).toEqual({ kind: reason });
  });

  it("says why, where that is known and belongs to the end", () => {
    const end = (reason: (typeof CALL_ENDS)[number], cause: string): CallRecord["end"] =>
      withEnd(undefined, { reason, seconds: 0, cause }, false)?.end;
    expect(end("declined", "media")).toEqual({ reason: "declined", seconds: 0, cause: "media" });
    expect(outcomeOf({ end: { reason: "no-path", seconds: 0, cause: "no-relay" } }, 0, 1)).toEqual({ kind: "no-path", cause: "no-relay" });
    for (const [reason, cause] of [
      ["busy", "media"],
      ["declined", "of a later version"],
    ] as const)
      expect(end(reason, cause)).toEqual({ reason, seconds: 0 });
  });

  it("has no way to reach a device", () => {
    expect(withoutSdp({ kind: "call.offer", media: "audio", sdp: "v=0" })).toEqual({ kind: "call.offer", media: "audio", sdp: "" });
    const text = { kind: "text", text: "sdp" };
    expect(withoutSdp(text)).toBe(text);
  });
});
