// Records of relays that lied as keepers: until when each is suspended, or which validators want that so far. None outlives its time.
import { encode, type TypeOf } from "#shared/codec/codec.ts";
import { list, record } from "#shared/codec/composites.ts";
import { hex, integer } from "#shared/codec/scalars.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { LIE_LIFETIME_S } from "#shared/protocol/primitives/limits.ts";
import { equalBytes, fromHex, toHex } from "#shared/util/bytes.ts";
import { decodeRecord } from "../record-codec.ts";
import type { StateReader, StateView } from "../state-view.ts";

const voteCodec = record({ voter: hex(32), at: integer() });
const suspensionCodec = record({
  /** Unix seconds of block time; 0 for a relay that is not suspended. */
  untilS: integer(),
  /** In ascending order of the voters. */
  votes: list(voteCodec),
});

/** A validator's vote, with the unix seconds of its block. */
export type SuspensionVote = TypeOf<typeof voteCodec>;

/** A relay that is suspended, or may be. */
export type Suspension = TypeOf<typeof suspensionCodec>;

const NONE: Suspension = { untilS: 0, votes: [] };
const EVERY = new Uint8Array(0);

/** What counts against a relay at a time: votes that were given long ago do not, nor does a suspension that is over. */
export function readSuspension(reader: StateReader, relayPub: PublicKeyHex, nowS: number): Suspension {
  const value = reader.get("suspension", fromHex(relayPub));
  return value === undefined ? NONE : presentOf(decodeSuspension(value), nowS);
}

/** All that a value of the namespace `suspension` says. */
export function decodeSuspension(value: Uint8Array): Suspension {
  return decodeRecord(suspensionCodec, value);
}

/** CBOR [until, [[voter, given at] …]] under the relay's key; no record of what says nothing. */
export function writeSuspension(view: StateView, relayPub: PublicKeyHex, { untilS, votes }: Suspension): void {
  const key = fromHex(relayPub);
  const before = view.get("suspension", key);
  if (untilS === 0 && votes.length === 0) {
    if (before !== undefined) view.delete("suspension", key);
    return;
  }
  const value = encode(suspensionCodec, { untilS, votes: votes.toSorted((a, b) => (a.voter < b.voter ? -1 : 1)) });
  if (before === undefined || !equalBytes(before, value)) view.set("suspension", key, value);
}

/** Forgets what does not count any more. */
export function endSuspensions(view: StateView, nowS: number): void {
  for (let entry = view.next("suspension", EVERY); entry !== undefined; entry = view.next("suspension", EVERY, entry.key))
    writeSuspension(view, toHex(entry.key), presentOf(decodeSuspension(entry.value), nowS));
}

function presentOf({ untilS, votes }: Suspension, nowS: number): Suspension {
  return { untilS: untilS > nowS ? untilS : 0, votes: votes.filter(({ at }) => at > nowS - LIE_LIFETIME_S) };
}
