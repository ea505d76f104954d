import { describe, expect, it } from "vitest";
import { type ContactRelation, createContactDirectory, entryOf } from "#renderer/lib/people/contacts/contact-directory.ts";
import type { ContactInfo, SentContactInfo } from "#shared/api/schemas/relay.ts";

const ANNA = "0a".repeat(32);
const BORIS = "0b".repeat(32);
const CARLA = "0c".repeat(32);
const noneDeclined = (): boolean => false;

describe("contact directory", () => {
  const cases: readonly [string, string | undefined, string | undefined, ContactRelation][] = [
    ["their accepted request makes a contact", "accepted", undefined, "contact"],
    ["one's own accepted request makes a contact", undefined, "accepted", "contact"],
    ["an own accepted request counts although theirs is open", "pending", "accepted", "contact"],
    ["one's own block comes before their acceptance", "blocked", "accepted", "blocked"],
    ["their open request waits", "pending", undefined, "request"],
    ["their open request comes before one's own", "pending", "pending", "request"],
    ["one's own open request waits", undefined, "pending", "sent"],
    ["their block refuses", undefined, "blocked", "refused"],
    ["an accepted request stays although they have blocked", "accepted", "blocked", "contact"],
  ];

  it.each(cases)("%s", (_, receivedStatus, sentStatus, relation) => {
    const directory = createContactDirectory(
      receivedStatus === undefined ? [] : [received(ANNA, { status: receivedStatus })],
      sentStatus === undefined ? [] : [sent(ANNA, { status: sentStatus })],
      noneDeclined,
    );
    expect(entryOf(directory, ANNA).relation).toBe(relation);
  });

  it("knows no relation between strangers", () => {
    expect(entryOf(createContactDirectory([], [], noneDeclined), ANNA)).toEqual({
      publicKey: ANNA,
      relation: "none",
      received: undefined,
      sent: undefined,
      isAdded: false,
    });
  });

  it.each<[string, string | undefined, string | undefined, ContactRelation]>([
    ["a stranger", undefined, undefined, "added"],
    ["who asked too", "pending", undefined, "request"],
    ["whom one asked too", undefined, "pending", "sent"],
    ["who has blocked", undefined, "blocked", "refused"],
    ["a contact of the chain", "accepted", undefined, "contact"],
    ["whom one has blocked", "blocked", undefined, "blocked"],
  ])("has %s who was added privately", (_, receivedStatus, sentStatus, relation) => {
    const directory = createContactDirectory(
      receivedStatus === undefined ? [] : [received(ANNA, { status: receivedStatus })],
      sentStatus === undefined ? [] : [sent(ANNA, { status: sentStatus })],
      noneDeclined,
      new Set([ANNA]),
    );
    expect(entryOf(directory, ANNA)).toMatchObject({ relation, isAdded: true });
    expect(directory.people.map(({ publicKey }) => publicKey)).toEqual(relation === "blocked" ? [] : [ANNA]);
  });

  it("sorts requests by amount, then newest first", () => {
    const directory = createContactDirectory(
      [
        received(ANNA, { fee_ut: 5_000, created_at: 10 }),
        received(BORIS, { fee_ut: 90_000, created_at: 5 }),
        received(CARLA, { fee_ut: 5_000, created_at: 20 }),
      ],
      [],
      noneDeclined,
    );
    expect(directory.requests.map(({ publicKey }) => publicKey)).toEqual([BORIS, CARLA, ANNA]);
  });

  it("hides a declined request, and shows a later one of the same person", () => {
    const isDeclined = (publicKey: string, id: string): boolean => publicKey === ANNA && id === "first";
    const declined = createContactDirectory([received(ANNA, { tx_id: "first" })], [], isDeclined);
    expect(declined.requests).toEqual([]);
    expect(declined.declined.map(({ publicKey }) => publicKey)).toEqual([ANNA]);
    const later = createContactDirectory([received(ANNA, { tx_id: "second" })], [], isDeclined);
    expect(later.requests.map(({ publicKey }) => publicKey)).toEqual([ANNA]);
  });

  it("lists own requests in every state, newest first", () => {
    const directory = createContactDirectory(
      [],
      [
        sent(ANNA, { status: "accepted", created_at: 1 }),
        sent(BORIS, { status: "pending", created_at: 3 }),
        sent(CARLA, { status: "blocked", created_at: 2 }),
      ],
      noneDeclined,
    );
    expect(directory.sent.map(({ publicKey }) => publicKey)).toEqual([BORIS, CARLA, ANNA]);
  });
});

function received(requester: string, fields: Partial<ContactInfo> = {}): ContactInfo {
  return {
    requester_pub: requester,
    requester_addr: "",
    status: "pending",
    fee_ut: 5_000,
    tx_id: `request-${requester}`,
    created_at: 1,
    ...fields,
  };
}

function sent(recipient: string, fields: Partial<SentContactInfo> = {}): SentContactInfo {
  return {
    recipient_pub: recipient,
    recipient_addr: "",
    status: "pending",
    fee_ut: 5_000,
    tx_id: `sent-${recipient}`,
    created_at: 1,
    ...fields,
  };
}
