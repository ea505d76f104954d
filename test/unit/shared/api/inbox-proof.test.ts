// The proof of a mailbox key, against node:crypto as a second implementation.
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isInboxProof } from "#shared/api/inbox-proof.ts";
import { formatInboxProof } from "#shared/protocol/mail/inbox-proof.ts";

const secret = new Uint8Array(32).fill(5);
const request = { method: "DELETE", path: "/relay/inbox/abc" };
const made = formatInboxProof(secret, { ...request, unixSeconds: 1_800_000_000 });

describe("inbox proof", () => {
  it("is an HMAC over method, path and time, one a line", () => {
    const digest = createHmac("sha256", secret).update("DELETE\n/relay/inbox/abc\n1800000000").digest("hex");
    expect(made).toBe(`1800000000.${digest}`);
  });

  it.each([
    [0, true],
    [300, true],
    [-300, true],
    [301, false],
    [-301, false],
  ])("holds %s seconds later: %s", (seconds, expected) => {
    const proof = made;
    expect(isInboxProof(proof, secret, request, 1_800_000_000 + seconds)).toBe(expected);
  });

  it("holds for nothing else", () => {
    const proof = made;
    const [time, digest] = proof.split(".");
    const holds = (value: string, key = secret, of = request): boolean => isInboxProof(value, key, of, 1_800_000_000);
    expect(holds(proof.toUpperCase())).toBe(true);
    expect([
      holds(`${time}.${digest?.slice(0, 62)}`),
      holds(`${Number(time) + 1}.${digest}`),
      holds(`${time}.${digest} `),
      holds(`-${proof}`),
      holds(""),
      holds(proof, new Uint8Array(32).fill(6)),
      holds(proof, secret, { ...request, method: "GET" }),
      holds(proof, secret, { ...request, path: "/relay/inbox/abd" }),
    ]).toEqual(Array(8).fill(false));
  });
});
