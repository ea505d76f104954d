// Pairs that strangers begin with a simulated device, stored and crowded out by the rules of real ones.
import { newPairRecord, type PairRecord } from "#shared/messenger/pairs/pair-record.ts";
import { crowdedOut } from "#shared/messenger/pairs/pair-registry.ts";
import type { PairState } from "#shared/messenger/pairs/pair-state.ts";
import { personOf } from "./simulated-boxes.ts";
import type { DevicePair } from "./simulated-disk.ts";

/** By device. */
export type Crowd = Map<string, PairRecord>;

/** Stores the pair of a stranger's device. */
export function putCrowdPair(crowd: Crowd, device: string, state: PairState<string>): void {
  const known = crowd.get(device);
  if (known?.state === state) return;
  crowd.set(device, { ...(known ?? newPairRecord(personOf(device), device, state.instance, state.instanceDay)), state });
}

/** Removes the pairs for which there is no room, also those with people who are known where there is none for them either: the devices of all. */
export function makeRoom(pairs: Map<string, DevicePair>, crowd: Crowd, isKnown: (person: string) => boolean): readonly string[] {
  const known = [...pairs].map(([device, { state }]) => ({ ...newPairRecord(personOf(device), device, "", 0), state }));
  const out = crowdedOut([...crowd.values(), ...known], isKnown);
  for (const device of out) {
    crowd.delete(device);
    pairs.delete(device);
  }
  return out;
}
