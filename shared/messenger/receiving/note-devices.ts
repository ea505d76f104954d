// Says in a chat that the devices of its person changed: who reads along is for both to know. Ids of the lines follow from the change, so
// a crash before it is stored makes none twice.
import type { MessageId } from "#shared/content/content.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { type Change, writeChange } from "../changes/change.ts";
import { ID_BYTES } from "../model/records.ts";
import { DEVICES_KEY, type DeviceChange } from "../state/device-registry.ts";
import type { DeviceEvent } from "../state/devices/known-devices.ts";
import type { EngineContext } from "../state/engine-context.ts";

type NoteContext = Pick<EngineContext, "account" | "store" | "clock">;

/** Stores what is known of devices, with the lines that a change makes. */
export function noteDevices(context: EngineContext, { person, after, events }: DeviceChange): Promise<void> {
  return writeChange(context, async (change) => {
    change.batch.putMeta(DEVICES_KEY, context.devices.all);
    if (person === context.account.masterPub || change.isStranger(person) || change.conversation(person).lastMessage === null) return;
    const first = after.changes - events.length;
    for (const [index, { event, key }] of events.entries())
      await addLine(context, change, { person, event, id: lineId([person, event, key, first + index]) });
  });
}

/** Mail that was not taken, though the person's key has vouched for its device. */
export interface UntakenMail {
  readonly id: MessageId;
  readonly from: PublicKeyHex;
  readonly device: X25519KeyHex;
  /** The chain did not list its device, or that writes in a later form. */
  readonly event: "unlisted" | "older";
}

/** Says it in a chat, once for each device. */
export async function noteUntaken(context: NoteContext, change: Change, { id, from, device, event }: UntakenMail): Promise<void> {
  // It may have come in another form meanwhile, as a copy does that a node held for later.
  if ((await change.batch.message(await context.store.messageKey(from, id))) !== undefined) return;
  await addLine(context, change, { person: change.conversationForLoss(from), event, id: lineId([from, event, device]) });
}

async function addLine(
  { store, clock }: NoteContext,
  change: Change,
  {
    person,
    event,
    id,
  }: { readonly person: PublicKeyHex; readonly event: DeviceEvent["event"] | UntakenMail["event"]; readonly id: string },
): Promise<void> {
  const key = await store.messageKey(`devices:${person}`, id);
  if (await change.batch.hasSeen(key)) return;
  change.addMessage(key, {
    conversation: person,
    id: "",
    direction: "in",
    at: Math.max(clock.nowMs(), (change.conversation(person).lastMessage?.at ?? 0) + 1),
    body: { kind: "device.note", event },
    state: null,
    problem: null,
    isUnread: false,
    hasReceipts: false,
    raw: null,
  });
}

function lineId(parts: readonly (string | number)[]): string {
  return toHex(sha256(utf8(JSON.stringify(["parley device line", ...parts]))).subarray(0, ID_BYTES));
}
