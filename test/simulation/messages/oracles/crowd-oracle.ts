// What strangers without number may not do to a device: take the room of people whom it knows, have more stored than docs/limits.md says, or make
// anything leave. Counted again from what lies on the disk.
import type { PairRecord } from "#shared/messenger/pairs/pair-record.ts";
import type { AsideItem } from "#shared/messenger/receiving/boxes/aside-record.ts";
import type { Disk } from "../device/simulated-disk.ts";
import { isOfFlood } from "../people/stranger-flood.ts";

const MOST_PAIRS = 2_048;
const MOST_PAIRS_OF_PERSON = 64;
const MOST_CLAIMED = 64;
const MOST_CLAIMED_OF_PERSON = 16;
const MOST_CLAIMED_OF_DEVICE = 8;
const MOST_VOUCHED = 512;
const MOST_VOUCHED_OF_PERSON = 64;

/** The strangers of one device. */
export class CrowdOracle {
  /** Devices of people whom it knows with which it has a pair. */
  readonly #known = new Set<string>();
  /** How many pairs there were, and what waited, when they were looked at last; undefined where they are to be. */
  #pairs: number | undefined;
  #items: readonly AsideItem[] | undefined;
  #hasChanged = true;
  /** One of those whom it knows whose pair made room. */
  #crowdedOut: string | undefined;
  /** What does not hold; undefined where everything does. */
  #wrong: string | undefined;

  /** The same, as it is kept with an image of the disk. */
  copy(): CrowdOracle {
    const copy = new CrowdOracle();
    for (const device of this.#known) copy.#known.add(device);
    copy.#crowdedOut = this.#crowdedOut;
    copy.#wrong = this.#wrong;
    return copy;
  }

  /** Pairs of strangers have changed. */
  noteChange(): void {
    this.#hasChanged = true;
  }

  /** The pair with a device goes, as that is gone for good. */
  noteGone(device: string): void {
    this.#known.delete(device);
  }

  /** These made room. One of those whom it knows may have a new pair before anyone looks again, without all that was in the one before. */
  noteCrowdedOut(devices: readonly string[]): void {
    this.#crowdedOut ??= devices.find((device) => !isOfFlood(device));
  }

  /** There was no room for what a person's key vouches for, beside what waits. */
  noteRefused(items: readonly AsideItem[], person: string): void {
    const vouched = items.filter(({ isVouched }) => isVouched);
    const ofPerson = vouched.filter(({ from }) => from === person);
    if (vouched.length < MOST_VOUCHED && ofPerson.length < MOST_VOUCHED_OF_PERSON)
      this.#wrong ??= `has no room for what the key of ${person} vouches for, beside ${ofPerson.length} of theirs and ${vouched.length} of all`;
  }

  /** What does not hold on the disk; undefined where everything does. */
  wrong({ pairs, crowd, aside }: Disk): string | undefined {
    if (this.#pairs !== pairs.size) {
      const lost = [...this.#known].find((device) => !pairs.has(device));
      if (lost !== undefined) return `has lost its pair with ${lost}`;
      for (const device of pairs.keys()) this.#known.add(device);
      this.#pairs = pairs.size;
    }
    if (this.#hasChanged) this.#wrong ??= wrongPairs(pairs.size, [...crowd.values()]);
    if (this.#items !== aside.items) this.#wrong ??= wrongClaims(aside.items);
    this.#hasChanged = false;
    this.#items = aside.items;
    if (this.#crowdedOut !== undefined) this.#wrong ??= `has lost its pair with ${this.#crowdedOut}`;
    return this.#wrong;
  }
}

function wrongPairs(known: number, crowd: readonly PairRecord[]): string | undefined {
  if (known + crowd.length > MOST_PAIRS) return `stores ${known + crowd.length} pairs`;
  const most = mostOf(crowd.map(({ peer }) => peer));
  if (most > MOST_PAIRS_OF_PERSON) return `stores ${most} pairs of one person`;
  const answered = crowd.find(
    ({ state }) => state.markAtMs !== null || state.asksFormer || state.sent.waiting.length > 0 || state.cards.length > 0,
  );
  return answered && `is to answer ${answered.device}, a stranger`;
}

function wrongClaims(items: readonly AsideItem[]): string | undefined {
  const claimed = items.filter(({ isVouched }) => !isVouched);
  const counts: readonly (readonly [of: string, count: number, most: number])[] = [
    ["all", claimed.length, MOST_CLAIMED],
    ["one person", mostOf(claimed.map(({ from }) => from)), MOST_CLAIMED_OF_PERSON],
    ["one device", mostOf(claimed.map(({ device }) => device)), MOST_CLAIMED_OF_DEVICE],
  ];
  const found = counts.find(([, count, most]) => count > most);
  return found && `keeps ${found[1]} contents that only claim to be of ${found[0]}`;
}

/** How often the name occurs that occurs most. */
function mostOf(names: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}
