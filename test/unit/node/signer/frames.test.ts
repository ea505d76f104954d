import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SIGNER_LIMITS } from "#node/signer/signer-limits.ts";
import { FrameReader, frameOf } from "#node/signer/wire/frames.ts";
import {
  answerFrame,
  decodeAnswer,
  decodeRequest,
  requestFrame,
  SIGNER_VERSIONS,
  type SignerAnswer,
  type SignerRequest,
  versionOfRequest,
} from "#node/signer/wire/messages.ts";
import { concatBytes } from "#shared/util/bytes.ts";

const KEY = "ab".repeat(32);
const SIGNATURE = new Uint8Array(64).fill(7);
const LAST = { height: 3, round: 1, step: "prevote", signBytes: Uint8Array.of(1, 2), signature: SIGNATURE } as const;
const BALLOT = {
  ...{ relay: KEY, slot: 7, version: 3_000_000, timeS: 1_800_000_000, salt: new Uint8Array(8).fill(9) },
  first: { count: 1, fingerprint: KEY, signature: SIGNATURE },
  second: { count: 2, fingerprint: KEY, signature: SIGNATURE },
};

describe("frames", () => {
  it("come out as they went in, whatever the pieces", () => {
    const bodies = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 6 });
    fc.assert(
      fc.property(bodies, fc.array(fc.nat({ max: 40 }), { minLength: 1 }), (all, cuts) => {
        const bytes = concatBytes(...all.map(frameOf));
        const reader = new FrameReader();
        const read: Uint8Array[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = (cuts[turn % cuts.length] ?? 0) + 1;
          read.push(...(reader.take(bytes.subarray(at, at + size)) ?? []));
          at += size;
        }
        expect(read).toEqual(all);
        expect(reader.isInside).toBe(false);
      }),
    );
  });

  it("end at an empty one and at one that is too large, before any of it is stored", () => {
    expect(new FrameReader().take(Uint8Array.of(0, 0, 0, 0))).toBeUndefined();
    expect(new FrameReader().take(Uint8Array.of(0xff, 0xff, 0xff, 0xff))).toBeUndefined();
    const largest = frameOf(new Uint8Array(SIGNER_LIMITS.frameBytes));
    expect(new FrameReader().take(largest)).toHaveLength(1);
    expect(new FrameReader().take(frameOf(new Uint8Array(SIGNER_LIMITS.frameBytes + 1)))).toBeUndefined();
  });

  it("that are cut off are waited for", () => {
    const reader = new FrameReader();
    const frame = frameOf(Uint8Array.of(1, 2, 3));
    expect(reader.take(frame.subarray(0, 6))).toEqual([]);
    expect(reader.isInside).toBe(true);
    expect(reader.take(frame.subarray(6))).toEqual([Uint8Array.of(1, 2, 3)]);
  });
});

describe("messages", () => {
  const requests: readonly SignerRequest[] = [
    { type: "hello", chainId: "parley-1", nodeKey: KEY },
    { type: "sign", id: 7, purpose: "precommit", height: 9, round: 2, bytes: Uint8Array.of(1) },
    { type: "ping", id: 0xffff_ffff },
    { type: "suspend", id: 8, ballot: BALLOT },
  ];
  const answers: readonly SignerAnswer[] = [
    { type: "welcome", publicKey: KEY, last: null },
    { type: "welcome", publicKey: KEY, last: LAST },
    { type: "signed", id: 7, signature: SIGNATURE },
    { type: "refused", id: 8, reason: "no" },
    { type: "pong", id: 9, last: LAST },
    { type: "bye", reason: "ß".repeat(SIGNER_LIMITS.reasonChars) },
  ];

  it("are read as they were written, and fit into a frame", () => {
    for (const request of requests) {
      const frame = requestFrame(request);
      expect(frame.length - 4).toBeLessThanOrEqual(SIGNER_LIMITS.frameBytes);
      expect(decodeRequest(frame.subarray(4))).toEqual(request);
    }
    for (const answer of answers) {
      const frame = answerFrame(answer);
      expect(frame.length - 4).toBeLessThanOrEqual(SIGNER_LIMITS.frameBytes);
      expect(decodeAnswer(frame.subarray(4))).toEqual(answer);
    }
  });

  it("are of one version: what a node of an earlier version says has all but votes about relays", () => {
    for (const request of requests) {
      if (request.type === "suspend") {
        expect(() => requestFrame(request, 1)).toThrow(TypeError);
        continue;
      }
      const [first, second] = [requestFrame(request, 1).subarray(4), requestFrame(request).subarray(4)];
      expect([decodeRequest(first), decodeRequest(first, 1)]).toEqual([request, request]);
      expect([decodeRequest(first, 2), decodeRequest(second, 1)]).toEqual([undefined, undefined]);
      expect([versionOfRequest(first), versionOfRequest(second)]).toEqual([1, 2]);
    }
    for (const answer of answers) {
      expect(decodeAnswer(answerFrame(answer, 1).subarray(4), 1)).toEqual(answer);
      expect(decodeAnswer(answerFrame(answer).subarray(4), 1)).toBeUndefined();
    }
  });

  it("are nothing else: any other bytes give undefined", () => {
    const frames = [...requests.map((request) => requestFrame(request)), ...answers.map((answer) => answerFrame(answer))].map((frame) =>
      frame.subarray(4),
    );
    for (const body of frames)
      for (let length = 0; length < body.length; length += 1) {
        expect(decodeRequest(body.subarray(0, length))).toBeUndefined();
        expect(decodeAnswer(body.subarray(0, length))).toBeUndefined();
      }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const request = decodeRequest(bytes);
        if (request !== undefined) expect(requestFrame(request, versionOfRequest(bytes)).subarray(4)).toEqual(bytes);
        const answer = decodeAnswer(bytes);
        const version = SIGNER_VERSIONS.find((each) => decodeAnswer(bytes, each) !== undefined);
        if (answer !== undefined) expect(answerFrame(answer, version).subarray(4)).toEqual(bytes);
      }),
    );
  });
});
