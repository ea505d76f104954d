// Which chunks of files stay here for now, as their person's devices have not acknowledged those before: a mailbox never fills with files.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { OutboxRecord } from "../model/records.ts";
import { isBound } from "./pair-record.ts";
import type { PairRegistry } from "./pair-registry.ts";
import { MAX_UNACKNOWLEDGED_CHUNKS, type SentChain } from "./pair-state.ts";

/**
 * True for a chunk all of whose devices have as many as may wait for acknowledgements. One device that is switched off holds up no other
 * one, and what is written in version 1 is not acknowledged, so not held either.
 */
export function heldChunks({ pairs }: { readonly pairs: PairRegistry }): (record: OutboxRecord) => boolean {
  let known: ReadonlyMap<PublicKeyHex, ReadonlyMap<X25519KeyHex, boolean>> | undefined;
  return ({ task, peer }) => {
    if (task.kind !== "chunk") return false;
    known ??= fullDevices(pairs);
    const devices = known.get(peer);
    if (devices === undefined) return false;
    return task.device === undefined ? [...devices.values()].every((isFull) => isFull) : devices.get(task.device) === true;
  };
}

/** Devices that are written to in version 2, by person: whether no further chunk is to leave for them. */
function fullDevices(pairs: PairRegistry): ReadonlyMap<PublicKeyHex, ReadonlyMap<X25519KeyHex, boolean>> {
  const byPerson = new Map<PublicKeyHex, Map<X25519KeyHex, boolean>>();
  for (const record of pairs.all) {
    if (!isBound(record)) continue;
    const devices = byPerson.get(record.peer) ?? new Map<X25519KeyHex, boolean>();
    byPerson.set(record.peer, devices.set(record.device, isFullOfChunks(record.state.sent)));
  }
  return byPerson;
}

/** True while no further chunk of a file is to leave: so many wait that they would fill the mailbox of a device that is away. */
export function isFullOfChunks({ waiting }: SentChain): boolean {
  return waiting.filter(({ isChunk, isThere }) => isChunk === true && !isThere).length >= MAX_UNACKNOWLEDGED_CHUNKS;
}
