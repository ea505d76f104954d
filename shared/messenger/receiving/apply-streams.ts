// Gaps in the sender chains of other devices, and responses to devices that miss something of ours.
import type { BodyOf, MessageId, ResendBody } from "#shared/content/content.ts";
import type { Change } from "../changes/change.ts";
import { addLossLine } from "../changes/pairs/loss-line.ts";
import { wholeOf } from "../changes/pairs/whole-sent.ts";
import type { StreamRecord } from "../model/records.ts";
import { dropPositions, type StreamStep, takePosition } from "../model/stream-gaps.ts";
import type { EngineContext } from "../state/engine-context.ts";
import type { Origin } from "./interpret-envelope.ts";

type StreamContext = Pick<EngineContext, "account" | "store" | "clock" | "outbox" | "streams">;

/** Contents that wait to be sent again to one device: a device that asks for more has to wait. */
const MAX_AGAIN = 256;

/** Notes that a content has come. What strangers send is not followed: each could begin chains without end, and they are asked for nothing. */
export async function noteOrigin(context: StreamContext, change: Change, { from, device, position, prekey }: Origin): Promise<void> {
  if (prekey !== undefined) await change.putSignedPrekey(from, device, prekey);
  if (position === undefined || !(from === context.account.masterPub || change.isKnown(from))) return;
  const known = change.stream(from, device, position.stream);
  if (known.peer !== from) return;
  await storeStep(context, change, known, takePosition(known, position.position, context.clock.nowMs()));
}

/** Sends a device again what it misses, or notes that it no longer has what we miss. */
export async function applyResend(
  context: StreamContext,
  change: Change,
  { id, resend, origin }: { readonly id: MessageId; readonly resend: BodyOf<"resend">; readonly origin: Origin | undefined },
): Promise<void> {
  if (origin === undefined || !change.isKnown(origin.from)) return;
  // A relay can lay the same request into the mailbox again and again: it is honoured once.
  const key = await context.store.messageKey(`resend:${origin.device}`, id);
  if (await change.batch.hasSeen(key)) return;
  change.batch.addSeen(key);
  if (resend.kind === "resend") return sendAgain(context, change, resend, origin);
  if (resend.kind === "knock") return change.noteResendPrompt(origin.from, origin.device, resend);
  const known = change.stream(origin.from, origin.device, resend.stream);
  if (known.peer === origin.from) await storeStep(context, change, known, dropPositions(known, resend.positions, context.clock.nowMs()));
}

/** Stores a step of a sender chain; what was given up with it is shown in the conversation. */
export async function storeStep(
  { store, clock }: Pick<StreamContext, "store" | "clock">,
  change: Change,
  before: StreamRecord,
  { record, lost }: StreamStep,
): Promise<void> {
  if (record !== before) change.putStream(record);
  if (lost === 0) return;
  const { peer, device, stream } = record;
  await addLossLine({ store, clock }, change, { peer, device, id: `${stream}:${before.upTo}:${record.upTo}`, count: lost });
}

async function sendAgain(
  context: StreamContext,
  change: Change,
  { stream, positions }: ResendBody,
  { from, device }: Origin,
): Promise<void> {
  const { store, outbox, streams, clock } = context;
  if (stream !== streams.sending.stream) return;
  const gone: number[] = [];
  let room = Math.min(MAX_AGAIN - outbox.countFor(device), streams.roomAgain(device, clock.nowMs()));
  for (const position of positions) {
    if (room <= 0 || position > (streams.sending.last[device] ?? 0) || outbox.holdsPosition(device, position)) continue;
    const sent = await wholeOf(context, change, await store.readSent(device, position));
    if (sent === undefined) gone.push(position);
    else {
      change.queue(from, { kind: "again", device, position, sent });
      streams.noteAgain(device);
      room -= 1;
    }
  }
  if (gone.length > 0) change.queue(from, { kind: "gone", device, stream, positions: gone });
}
