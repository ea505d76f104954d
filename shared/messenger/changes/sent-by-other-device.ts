// Messages that another own device is to send: it remains their sender, this one shows them as waiting until they were sent.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { OutgoingState } from "../model/message.ts";
import { stateOfAll } from "../model/progress/outgoing-state.ts";
import type { MessageRecord } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { isOnRequest } from "./files/files.ts";

/** A message as it is handed to another own device: what waits here is not sent by that one. */
export async function asTransferred(
  { store, outbox, account }: Pick<EngineContext, "store" | "outbox" | "account">,
  stored: MessageRecord,
): Promise<MessageRecord> {
  const record = withHolder(stored, account.devicePub);
  if (record.state !== "queued" && record.state !== "failed") return record;
  const me = account.masterPub;
  const entries = outbox.messageEntriesOf(await store.messageKey(me, record.id));
  if (entries.length === 0) return record;
  const reachesOwnDevices = record.deliveries === undefined || entries.some(({ peer }) => peer === me);
  const waiting = withDeliveries(record, (state) => (reachesOwnDevices ? stillWaiting(state) : state === "queued" ? "relayed" : state));
  const isWaiting = waiting.state === "queued" || waiting.state === "failed";
  return { ...waiting, problem: null, ...(isWaiting ? { isElsewhere: true } : {}) };
}

/** The own file that lies here, large or stored once: the other device can ask this one for it. */
function withHolder(record: MessageRecord, device: X25519KeyHex): MessageRecord {
  const { body, direction, transfer } = record;
  const isHere =
    body.kind === "attachment" && isOnRequest(body) && direction === "out" && transfer !== undefined && transfer.from === undefined;
  return isHere && record.holder === undefined ? { ...record, holder: device } : record;
}

/** The other device says that it has sent a message: it is with those with whom it waited. */
export function asSentByOtherDevice({ isElsewhere: _, ...record }: MessageRecord): MessageRecord {
  return withDeliveries(record, (state) => (stillWaiting(state) === "queued" ? "relayed" : state));
}

/** What failed there can be tried again there alone. */
function stillWaiting(state: OutgoingState): OutgoingState {
  return state === "failed" ? "queued" : state;
}

function withDeliveries(record: MessageRecord, next: (state: OutgoingState) => OutgoingState): MessageRecord {
  if (record.deliveries === undefined) return { ...record, state: record.state === null ? null : next(record.state) };
  const deliveries: Record<PublicKeyHex, OutgoingState> = {};
  for (const [peer, state] of Object.entries(record.deliveries)) deliveries[peer] = next(state);
  return { ...record, deliveries, state: stateOfAll(deliveries) };
}
