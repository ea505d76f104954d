// How far an own message is: with a person, or with each member of a group and so with the group.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type MessengerProblem, NO_RECIPIENT, type OutgoingState } from "../message.ts";
import type { MessageRecord } from "../records.ts";

const STATE_ORDER: readonly OutgoingState[] = ["failed", "queued", "relayed", "delivered", "read"];

/**
 * The message with a later state for one of its recipients, or undefined when it is as far already: receipts overtake each other and
 * the relay's response.
 */
export function advanceState(record: MessageRecord, peer: PublicKeyHex, state: OutgoingState): MessageRecord | undefined {
  const known = record.deliveries === undefined ? record.state : (record.deliveries[peer] ?? null);
  if (known === null || STATE_ORDER.indexOf(state) <= STATE_ORDER.indexOf(known)) return undefined;
  return withState(record, peer, { state, problem: null });
}

/**
 * The message with the time at which this device learned that it is so far; the first time counts. What was read is delivered by then. Of a
 * group no times are kept.
 */
export function withReached(record: MessageRecord, state: OutgoingState, nowMs: number): MessageRecord {
  const { deliveries, reached = {} } = record;
  const isStep = state === "relayed" || state === "delivered" || state === "read";
  if (deliveries !== undefined || !isStep || reached[state] !== undefined) return record;
  const before = state === "read" && reached.delivered === undefined ? { delivered: nowMs } : {};
  return { ...record, reached: { ...reached, ...before, [state]: nowMs } };
}

/** The message with a state for one of its recipients. */
export function withState(
  record: MessageRecord,
  peer: PublicKeyHex,
  { state, problem }: { readonly state: OutgoingState; readonly problem: MessengerProblem | null },
): MessageRecord {
  if (record.deliveries === undefined) return { ...record, state, problem };
  const deliveries = { ...record.deliveries, [peer]: state };
  const overall = stateOfAll(deliveries);
  const isWaiting = overall === "queued" || overall === "failed";
  return { ...record, deliveries, state: overall, problem: isWaiting ? (problem ?? record.problem) : null };
}

/** A message that failed, to be sent again to those who did not get it. */
export function waitingAgain(message: MessageRecord): MessageRecord {
  if (message.deliveries === undefined) return message.state === "failed" ? { ...message, state: "queued", problem: null } : message;
  const again = Object.entries(message.deliveries).map(
    ([peer, state]) => [peer, state === "failed" ? ("queued" as const) : state] as const,
  );
  const deliveries = Object.fromEntries(again);
  return { ...message, deliveries, state: stateOfAll(deliveries), problem: null };
}

/** A message that is no longer sent to one of its recipients: it is as far as with the others. */
export function withoutRecipient(record: MessageRecord, peer: PublicKeyHex): MessageRecord {
  if (record.deliveries === undefined) return record;
  const { [peer]: _, ...deliveries } = record.deliveries;
  const state = stateOfAll(deliveries);
  return { ...record, deliveries, state, problem: state === "queued" || state === "failed" ? record.problem : null };
}

/** A group's message is as far as with the member with whom it is least far; those who cannot be reached at all do not hold it up. */
export function stateOfAll(deliveries: Readonly<Record<PublicKeyHex, OutgoingState>>): OutgoingState {
  return leastState(Object.values(deliveries));
}

/** The state of whatever is least far of several; one that failed counts only where all did. */
export function leastState(states: readonly OutgoingState[]): OutgoingState {
  if (states.length === 0) return NO_RECIPIENT;
  return STATE_ORDER.find((state) => state !== "failed" && states.includes(state)) ?? "failed";
}
