// Secrets of cards go: once the mailbox is read to its end by age and with what was deleted, and once a day by a new key of the vault, so that
// what a disk still holds of earlier ones opens nothing.
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";
import type { CountedDays } from "../../pairs/counted-days.ts";
import { forgetContents, retireCards } from "../../pairs/own-cards.ts";
import { COUNTED_DAYS_KEY } from "../../pairs/pair-clock.ts";
import { type PairRecord, withCountedBinding } from "../../pairs/pair-record.ts";
import type { OwnCard, PairState } from "../../pairs/pair-state.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import { Change, writeChange } from "../change.ts";
import { PUBLIC_CARDS_KEY, type PublicRecord, withoutOld } from "./public-record.ts";

/** Key of the time at which the key of cards was renewed last, by the own clock. */
const RENEWED_KEY = "cards renewed";
const RENEWAL_MS = 86_400_000;
/** Secrets of one call of the keyring. */
const SECRETS_PER_CALL = 1_000;

/** The mailbox was read to its end, with what came until a time of the own clock. */
export async function retireAfterReading(context: EngineContext, startedMs: number): Promise<void> {
  const { days, pairs } = context;
  const counted = days.countedAt(startedMs);
  if (counted === undefined && pairs.all.every(({ forgets }) => forgets.length === 0)) return;
  await writeChange(context, async (change) => {
    if (counted !== undefined) await countDay(context, change, counted);
    for (const { device } of pairs.all) retire(context, change, device, counted?.days ?? days.day);
  });
  if (counted !== undefined) days.setCounted(counted);
}

/** A day is over: public cards go by it, too. */
async function countDay({ store }: EngineContext, change: Change, counted: CountedDays): Promise<void> {
  change.batch.putMeta(COUNTED_DAYS_KEY, counted);
  const record = await store.readMeta<PublicRecord>(PUBLIC_CARDS_KEY);
  const left = record && withoutOld(record, counted.days);
  if (left !== record) change.batch.putMeta(PUBLIC_CARDS_KEY, left);
}

function retire({ devices }: EngineContext, change: Change, device: string, day: number): void {
  const stored = change.pair(device);
  if (stored === undefined) return;
  if (devices.isGoneForGood(stored.peer, device)) {
    change.deletePair(device);
    return;
  }
  const record = withCountedBinding(stored, day);
  const state = retireCards(forgetContents(record.state, record.forgets), day);
  if (record !== stored || state !== record.state || record.forgets.length > 0) change.putPair({ ...record, state, forgets: [] });
}

/**
 * Renews the key under which the secrets of cards lie, once a day: all are sealed again and stored, and then the key before goes. Nothing is
 * drawn meanwhile, as all of it is one step of the only writer.
 * @throws CodedError of the keyring, LOCAL_STORE_FAILED, MESSENGER_UNAVAILABLE.
 */
export async function renewCardKey(context: EngineContext): Promise<void> {
  const { keyring, clock, pairs, store, writer } = context;
  const renewedMs = await store.readMeta<number>(RENEWED_KEY);
  const ofAll = (await store.readMeta<PublicRecord>(PUBLIC_CARDS_KEY))?.cards ?? [];
  const hasCards = ofAll.length > 0 || pairs.all.some(({ state }) => state.cards.length > 0);
  if (!hasCards || (renewedMs !== undefined && Math.abs(clock.nowMs() - renewedMs) < RENEWAL_MS)) return;
  await writer.run(async () => {
    // The first key is as old as the first card.
    if (renewedMs !== undefined) {
      await keyring.renewCardKey();
      const change = new Change(context);
      await sealAgain(context, change);
      await change.commit();
      await keyring.dropFormerCardKey();
    }
    // A crash before this finds the key that was to go, and does the same again.
    const batch = store.begin();
    batch.putMeta(RENEWED_KEY, clock.nowMs());
    await batch.commit();
  });
}

async function sealAgain({ keyring, pairs, store }: EngineContext, change: Change): Promise<void> {
  const ofAll = await store.readMeta<PublicRecord>(PUBLIC_CARDS_KEY);
  const ofPairs = pairs.all.flatMap(({ state }) => state.cards.map(({ secret }) => secret));
  const secrets = [...ofPairs, ...(ofAll?.cards ?? []).map(({ secret }) => secret)];
  const resealed = new Map<string, Uint8Array | null>();
  for (let start = 0; start < secrets.length; start += SECRETS_PER_CALL) {
    const some = secrets.slice(start, start + SECRETS_PER_CALL);
    const again = await keyring.resealCards({ secrets: some.map(fromBase64) });
    for (const [at, secret] of some.entries()) resealed.set(secret, again[at] ?? null);
  }
  for (const record of pairs.all) if (record.state.cards.length > 0) change.putPair(withSecrets(record, resealed));
  if (ofAll === undefined) return;
  const cards = ofAll.cards.flatMap((card) => {
    const secret = resealed.get(card.secret) ?? null;
    return secret === null ? [] : [{ ...card, secret: toBase64(secret) }];
  });
  change.batch.putMeta(PUBLIC_CARDS_KEY, { ...ofAll, cards });
}

/** What lies under no key of the vault opens nothing any more. */
function withSecrets(record: PairRecord, resealed: ReadonlyMap<string, Uint8Array | null>): PairRecord {
  const cards = record.state.cards.flatMap((card): readonly OwnCard<string>[] => {
    const secret = resealed.get(card.secret) ?? null;
    return secret === null ? [] : [{ ...card, secret: toBase64(secret) }];
  });
  const state: PairState<string> = { ...record.state, cards };
  return { ...record, state };
}
