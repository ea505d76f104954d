// What lies on the disk of a simulated device.
import type { PublicRecord } from "#shared/messenger/changes/pairs/public-record.ts";
import type { CountedDays } from "#shared/messenger/pairs/counted-days.ts";
import type { PairState } from "#shared/messenger/pairs/pair-state.ts";
import type { Body } from "./mail-network.ts";
import type { DiskBoxes } from "./simulated-boxes.ts";

export interface Sent {
  readonly position: number;
  readonly id: string;
  readonly body: Body;
  readonly atMs: number;
}

export interface StoredText {
  readonly readWorldMs: number;
  /** Device that the copy came from, and the id of the content; undefined for own texts. */
  readonly from: string | undefined;
}

export interface DevicePair {
  readonly state: PairState<string>;
  readonly sent: readonly Sent[];
}

/** Everything on a disk; never changed in place. */
export interface Disk {
  readonly counted: CountedDays | undefined;
  readonly pairs: ReadonlyMap<string, DevicePair>;
  readonly texts: ReadonlyMap<string, StoredText>;
  /** When each of the texts that disappear was read, by the own clock. */
  readonly disappearing: ReadonlyMap<string, number>;
  readonly deleted: ReadonlySet<string>;
  readonly boxes: DiskBoxes;
  readonly publicCards: PublicRecord | undefined;
}

/** That of a device that has just been set up. */
export const EMPTY_DISK: Disk = {
  counted: undefined,
  pairs: new Map(),
  texts: new Map(),
  disappearing: new Map(),
  deleted: new Set(),
  boxes: new Map(),
  publicCards: undefined,
};
