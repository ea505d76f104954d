// What is sealed, shown, asked and said in a group, against what its owner truly wrote of those who lie: no log is folded for it. Who is removed
// reads nothing of an author who knows that, has nothing of theirs shown that is later, and learns no later entry; heads that are false make a
// device ask each person seldom, and say of no one that they did not know what they knew.
import type { GroupChange } from "#shared/protocol/groups/log-entry.ts";

/** The same as for members who lack entries, and as for mail of who is out. */
const ASKED_APART_MS = 600_000;
const LATE_MS = 86_400_000;

/** People were removed by this entry. */
export interface Removal {
  readonly hash: string;
  readonly people: readonly string[];
  /** By the clock of the owner's device, in steps. */
  readonly at: number;
}

/** What a device knows of the entries that were ever written. */
export interface Knowing {
  /** True for an entry that is in its log, or known to the base that it begins with. */
  knows(hash: string): boolean;
  /** True for an entry that is in its log. */
  holds(hash: string): boolean;
  /** What an entry knows, of all that was ever written. */
  pastOf(hash: string): ReadonlySet<string>;
  /** Entries of its log by which a person left. */
  departuresOf(person: string): readonly string[];
}

/** A content to the group, as it comes to a device. */
export interface CameContent {
  readonly author: string;
  /** By its author's clock, in steps. */
  readonly at: number;
  readonly heads: readonly string[];
}

interface Learned {
  readonly removals: readonly Removal[];
  readonly sinceMs: number;
}

/** Of all devices of a schedule. `Device`: whatever stands for one. */
export class SealsOracle<Device extends object> {
  readonly #removals: Removal[] = [];
  /** Of the removed the removals that a device knows, and since when it has known one of them at all times. */
  readonly #learned = new Map<Device, Map<string, Learned>>();
  readonly #asked = new Map<Device, Map<string, number>>();

  /** By this entry of the owner people are removed, and no honest device adds them again. */
  noteRemoval(removal: Removal): void {
    this.#removals.push(removal);
  }

  /**
   * What a device knows now. A removal that the owner's other device wrote beside a base may be known no more, as the log begins at that: the
   * person is in the group again, until they are removed once more.
   */
  noteKnown(device: Device, { knows }: Knowing, nowMs: number): void {
    const before = this.#learned.get(device);
    const learned = new Map<string, Learned>();
    for (const person of new Set(this.#removals.flatMap(({ people }) => people))) {
      const removals = this.#of(person).filter(({ hash }) => knows(hash));
      if (removals.length > 0) learned.set(person, { removals, sinceMs: before?.get(person)?.sinceMs ?? nowMs });
    }
    this.#learned.set(device, learned);
  }

  /** The disk of a device was put back. */
  forget(device: Device): void {
    this.#learned.delete(device);
    this.#asked.delete(device);
  }

  /** @throws Error where a content leaves for who is removed, as its author knows. */
  sealed(to: string, { knows }: Knowing): void {
    if (this.#of(to).some(({ hash }) => knows(hash))) throw new Error(`Something is sealed to ${to.slice(0, 4)}, who was removed`);
  }

  /** @throws Error where something is shown of who is removed, and that is later than that, or came long after it was learned. */
  shown(device: Device, { author, at }: CameContent, nowMs: number): void {
    const learned = this.#learned.get(device)?.get(author);
    if (learned === undefined) return;
    // Both of the owner's devices may remove one.
    if (at > Math.max(...learned.removals.map((removal) => removal.at)))
      throw new Error(`Something of ${author.slice(0, 4)} is shown that is later than their removal`);
    if (nowMs > learned.sinceMs + LATE_MS) throw new Error(`Something of ${author.slice(0, 4)} is shown long after their removal`);
  }

  /** @throws Error where a person is asked who was removed, or was asked a short while ago. */
  asked(device: Device, person: string, { knows }: Knowing, nowMs: number): void {
    if (this.#of(person).some(({ hash }) => knows(hash))) throw new Error(`${person.slice(0, 4)} is asked, who was removed`);
    const asked = this.#asked.get(device) ?? new Map<string, number>();
    this.#asked.set(device, asked);
    if (nowMs - (asked.get(person) ?? Number.NEGATIVE_INFINITY) < ASKED_APART_MS)
      throw new Error(`${person.slice(0, 4)} is asked again and again`);
    asked.set(person, nowMs);
  }

  /** @throws Error where a member is not asked who names entries that are not here, and was not asked a short while ago: who lies holds up no one. */
  passedOver(device: Device, person: string, nowMs: number): void {
    if (nowMs - (this.#asked.get(device)?.get(person) ?? Number.NEGATIVE_INFINITY) >= ASKED_APART_MS)
      throw new Error(`${person.slice(0, 4)} is not asked for what is not here`);
  }

  /**
   * A removal beside which the owner passed the group on counts for nothing: then the person left, and knew what that knew. @throws Error where
   * entries are shown to who is removed that are no part of what that removal knew, or they when they left.
   */
  entriesShown(person: string, entries: readonly string[], { knows, pastOf, departuresOf }: Knowing): void {
    const removals = this.#of(person).filter(({ hash }) => knows(hash));
    if (removals.length === 0) return;
    const ends = [...removals.map(({ hash }) => hash), ...departuresOf(person)];
    const later = entries.find((hash) => ends.every((end) => end !== hash && !pastOf(end).has(hash)));
    if (later !== undefined) throw new Error(`${person.slice(0, 4)} is shown an entry that is later than their removal`);
  }

  /**
   * `removals`: of which a device says that the author of a content did not know. @throws Error where they knew one of these, or where nothing is
   * said though they knew no removal of a person.
   */
  said(
    { author, heads }: CameContent,
    removals: readonly { readonly hash: string; readonly change: GroupChange }[],
    { holds, pastOf }: Knowing,
  ): void {
    const isKnown = (hash: string): boolean => heads.some((head) => head === hash || pastOf(head).has(hash));
    const known = removals.find(({ hash, change }) => change.op !== "remove" || isKnown(hash));
    if (known !== undefined) throw new Error(`It is said that ${author.slice(0, 4)} did not know of a removal, and they did`);
    const named = new Set(removals.flatMap(({ change }) => ("people" in change ? change.people : [])));
    const people = new Set(this.#removals.filter(({ hash }) => holds(hash)).flatMap((removal) => removal.people));
    for (const person of people) {
      if (person === author || named.has(person) || this.#of(person).some(({ hash }) => isKnown(hash))) continue;
      throw new Error(`It is not said that ${author.slice(0, 4)} did not know of the removal of ${person.slice(0, 4)}`);
    }
  }

  #of(person: string): readonly Removal[] {
    return this.#removals.filter(({ people }) => people.includes(person));
  }
}
