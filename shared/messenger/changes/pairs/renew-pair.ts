// What is sent again in the chain of a pair: what another instance of the other device lacks, and everything once this device was set back.
import type { PositionRange } from "#shared/content/pairs/pair-content.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { SentRecord } from "../../model/records.ts";
import { MAX_UNACKNOWLEDGED, renewInstance } from "../../pairs/pair-state.ts";
import { givePlaces, waitAgain } from "../../pairs/sent-chain.ts";
import type { Change } from "../change.ts";
import { isUnacknowledged, newInstance, type PairContext } from "./pair-context.ts";

interface Remembered {
  readonly position: number;
  readonly id: string;
  readonly sent: SentRecord;
}

/**
 * This device was set back, as this pair says: it continues under another instance with it, and sends again what it remembers. `heardMs`: when
 * the other device was heard before, by the own clock.
 */
export async function renewPair(
  context: PairContext,
  change: Change,
  { device, heardMs }: { readonly device: X25519KeyHex; readonly heardMs: number | null },
): Promise<void> {
  const record = change.pair(device);
  if (record === undefined) return;
  const { days, random, setBack } = context;
  const { instance, sent } = record.state;
  const renewed = renewInstance(record.state, newInstance(random), days.day);
  if (renewed === record.state) return;
  const now = days.now();
  // Who is blocked or not known says nothing to this person.
  if (!isUnacknowledged(context, change, record.peer)) setBack.note(change.batch, { person: record.peer, heardMs, nowMs: now.ownMs });
  const remembered = await rememberedOf(context, { device, instance }, [{ from: 1, to: sent.last }]);
  for (const [at, entry] of remembered.entries())
    await change.batch.putPairSent({ device, instance: renewed.instance, position: at + 1 }, entry.sent, now.ownMs);
  const chain = givePlaces(
    renewed.sent,
    remembered.map(({ id }) => id),
    now,
  );
  change.putPair({ ...record, state: { ...renewed, sent: chain }, shown: null, forgets: [] });
}

/** Another instance of the other device lacks what had been acknowledged: it waits again, as far as it is remembered. */
export async function waitForLacking(
  context: PairContext,
  change: Change,
  device: X25519KeyHex,
  lacking: readonly PositionRange[],
): Promise<void> {
  const record = change.pair(device);
  if (record === undefined) return;
  const { state } = record;
  const remembered = await rememberedOf(context, { device, instance: state.instance }, lacking);
  change.putPair({ ...record, state: { ...state, sent: waitAgain(state.sent, remembered, context.days.now()) } });
}

/** What is remembered of positions, the newest ones that can wait together, ascending. */
async function rememberedOf(
  { store }: PairContext,
  { device, instance }: { readonly device: X25519KeyHex; readonly instance: string },
  ranges: readonly PositionRange[],
): Promise<readonly Remembered[]> {
  const found: Remembered[] = [];
  let room = MAX_UNACKNOWLEDGED;
  for (const { from, to } of ranges.toReversed())
    for (let position = to; position >= from && room > 0; position -= 1) {
      room -= 1;
      const sent = await store.readSent(device, position, instance);
      if (sent?.id !== undefined) found.push({ position, id: sent.id, sent });
    }
  return found.reverse();
}
