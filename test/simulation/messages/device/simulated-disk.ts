// What lies on the disk of a simulated device.
import type { PublicRecord } from "#shared/messenger/changes/pairs/public-record.ts";
import type { CountedDays } from "#shared/messenger/pairs/counted-days.ts";
import type { PairRecord } from "#shared/messenger/pairs/pair-record.ts";
import type { PairState } from "#shared/messenger/pairs/pair-state.ts";
import type { Body } from "../network/mail-network.ts";
import { type DiskAside, NOTHING_ASIDE } from "./simulated-aside.ts";
import type { DiskBoxes } from "./simulated-boxes.ts";
import type { Crowd } from "./simulated-crowd.ts";

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
  /** Since when version 2 alone is written; absent before something came under a card. */
  readonly bound?: PairRecord["bound"];
}

/** Everything on a disk. */
export interface Disk {
  readonly counted: CountedDays | undefined;
  readonly pairs: ReadonlyMap<string, DevicePair>;
  /** Pairs that strangers without number have begun. */
  readonly crowd: ReadonlyMap<string, PairRecord>;
  readonly texts: ReadonlyMap<string, StoredText>;
  /** When each of the texts that disappear was read, by the own clock. */
  readonly disappearing: ReadonlyMap<string, number>;
  readonly deleted: ReadonlySet<string>;
  readonly boxes: DiskBoxes;
  readonly publicCards: PublicRecord | undefined;
  /** Mail of devices that are not listed yet. */
  readonly aside: DiskAside;
}

/** A disk in use: what is in its tables is never changed in place. */
export class RunningDisk implements Disk {
  counted: CountedDays | undefined;
  pairs: Map<string, DevicePair>;
  crowd: Crowd;
  texts: Map<string, StoredText>;
  disappearing: Map<string, number>;
  deleted: Set<string>;
  boxes: DiskBoxes;
  publicCards: PublicRecord | undefined;
  aside: DiskAside;

  /** One like another, or that of a device that has just been set up. */
  constructor(disk?: Disk) {
    this.counted = disk?.counted;
    this.pairs = new Map(disk?.pairs);
    this.crowd = new Map(disk?.crowd);
    this.texts = new Map(disk?.texts);
    this.disappearing = new Map(disk?.disappearing);
    this.deleted = new Set(disk?.deleted);
    this.boxes = disk?.boxes ?? new Map();
    this.publicCards = disk?.publicCards;
    this.aside = disk?.aside ?? NOTHING_ASIDE;
  }
}
