// The contact lists of the chain and those who were added privately, put together by person. Requests have a direction; people have not.
import type { ContactInfo, SentContactInfo } from "#shared/api/schemas/relay.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/**
 * The relation to a person:
 * - `contact`: one of the two accepted the other.
 * - `request`: they asked and wait for an answer.
 * - `declined`: they asked, and the request was hidden on this device.
 * - `sent`: one asked oneself and waits for their answer.
 * - `blocked`: blocked by the person at this desk.
 * - `refused`: they have blocked the person at this desk.
 * - `added`: added as a contact privately; the chain knows nothing of it.
 * - `none`: there is no relation.
 */
export type ContactRelation = "contact" | "added" | "request" | "declined" | "sent" | "blocked" | "refused" | "none";

/** A person with what was asked in both directions. */
export interface ContactEntry {
  readonly publicKey: PublicKeyHex;
  readonly relation: ContactRelation;
  /** Their request, or one's own block of them. */
  readonly received: ContactInfo | undefined;
  /** One's own request. */
  readonly sent: SentContactInfo | undefined;
  /** Added as a contact privately, whatever the chain says. */
  readonly isAdded: boolean;
}

/** All people, sorted for lists. */
export interface ContactDirectory {
  /** Contacts by the chain, and those who were added privately. */
  readonly people: readonly ContactEntry[];
  /** Highest amount first. */
  readonly requests: readonly ContactEntry[];
  readonly declined: readonly ContactEntry[];
  /** Own requests in every state, newest first. */
  readonly sent: readonly ContactEntry[];
  readonly blocked: readonly ContactEntry[];
  readonly byKey: ReadonlyMap<PublicKeyHex, ContactEntry>;
}

const NO_ONE: ReadonlySet<PublicKeyHex> = new Set();

/** Puts the lists together. `isDeclined` knows the transaction ids of requests that were hidden, `added` who was added privately. */
export function createContactDirectory(
  received: readonly ContactInfo[],
  sent: readonly SentContactInfo[],
  isDeclined: (publicKey: PublicKeyHex, requestId: string) => boolean,
  added: ReadonlySet<PublicKeyHex> = NO_ONE,
): ContactDirectory {
  const byReceived = new Map(received.map((info) => [info.requester_pub, info]));
  const bySent = new Map(sent.map((info) => [info.recipient_pub, info]));
  const keys = [...new Set([...byReceived.keys(), ...bySent.keys(), ...added])];
  const entries = keys.map((publicKey) => {
    const parts = { received: byReceived.get(publicKey), sent: bySent.get(publicKey), isAdded: added.has(publicKey) };
    return { publicKey, ...parts, relation: relationOf(publicKey, parts, isDeclined) };
  });
  const inState = (relation: ContactRelation): readonly ContactEntry[] => entries.filter((entry) => entry.relation === relation);
  return {
    people: entries.filter(isInPeople),
    requests: inState("request").toSorted(byAmount),
    declined: inState("declined").toSorted(byAmount),
    sent: entries.filter((entry) => entry.sent !== undefined).toSorted((a, b) => (b.sent?.created_at ?? 0) - (a.sent?.created_at ?? 0)),
    blocked: inState("blocked"),
    byKey: new Map(entries.map((entry) => [entry.publicKey, entry])),
  };
}

/** The entry of a person; one without a relation has one too. */
export function entryOf(directory: ContactDirectory, publicKey: PublicKeyHex): ContactEntry {
  return directory.byKey.get(publicKey) ?? { publicKey, relation: "none", received: undefined, sent: undefined, isAdded: false };
}

/** True for contacts, those who were added privately too. */
export function isInPeople({ relation, isAdded }: ContactEntry): boolean {
  return relation === "contact" || (isAdded && relation !== "blocked");
}

/** One's own block comes before everything, being a contact before open requests, theirs before one's own, and what is private last. */
function relationOf(
  publicKey: PublicKeyHex,
  { received, sent, isAdded }: Pick<ContactEntry, "received" | "sent" | "isAdded">,
  isDeclined: (publicKey: PublicKeyHex, requestId: string) => boolean,
): ContactRelation {
  if (received?.status === "blocked") return "blocked";
  if (received?.status === "accepted" || sent?.status === "accepted") return "contact";
  if (received?.status === "pending" && !isDeclined(publicKey, received.tx_id)) return "request";
  if (sent?.status === "pending") return "sent";
  if (sent?.status === "blocked") return "refused";
  if (isAdded) return "added";
  return received?.status === "pending" ? "declined" : "none";
}

function byAmount(a: ContactEntry, b: ContactEntry): number {
  const amounts = (b.received?.fee_ut ?? 0) - (a.received?.fee_ut ?? 0);
  return amounts !== 0 ? amounts : (b.received?.created_at ?? 0) - (a.received?.created_at ?? 0);
}
