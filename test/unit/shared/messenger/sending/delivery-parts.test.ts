// What a task of the outbox becomes for its person and for the own other devices.
import { describe, expect, it } from "vitest";
import { partOfSent } from "#shared/messenger/sending/delivery-parts.ts";

const ME = "aa".repeat(32);
const BOB = "bb".repeat(32);
const BYTES = Uint8Array.of(1, 2, 3);
const task = { kind: "profile", id: "01".repeat(16), at: 5, name: "Ann", picture: { mark: "00", at: 4 } } as const;

describe("a name with a picture", () => {
  it("goes to the contact with its bytes", () => {
    expect(partOfSent({ peer: BOB, task }, undefined, BYTES)?.body).toEqual({
      kind: "profile",
      name: "Ann",
      picture: { at: 4, data: BYTES },
    });
  });

  it("goes to own devices with its bytes where it is new, and with its time alone where a contact was sent it", () => {
    const bodyFor = (peer: string): unknown => {
      const body = partOfSent({ peer, task }, ME, BYTES)?.body;
      return body?.kind === "sync.sent" ? body.body : body;
    };
    expect(bodyFor(ME)).toEqual({ kind: "profile", name: "Ann", picture: { at: 4, data: BYTES } });
    expect(bodyFor(BOB)).toEqual({ kind: "profile", name: "Ann", picture: { at: 4 } });
  });

  it("names no bytes where they are those of a newer picture", () => {
    expect(partOfSent({ peer: BOB, task }, undefined, undefined)?.body).toEqual({ kind: "profile", name: "Ann", picture: { at: 4 } });
  });
});
