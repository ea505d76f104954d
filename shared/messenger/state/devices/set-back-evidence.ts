// Who contradicts what this device knows of its own contents: it was set back to an older state, or copied. One person may lie, and takes
// nothing from anyone by it; the person's own devices do not, nor do two people who say the same.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { StoreBatch } from "../../store/store-batch.ts";

/** Key of the evidence in the store. */
export const SET_BACK_KEY = "setBack";

const ENOUGH_PEOPLE = 2;

/** What is stored of it. */
export interface SetBackRecord {
  /** Two other people at most, and oneself for an own device. */
  readonly people: readonly PublicKeyHex[];
  /** When the person saw to what was found before, by the own clock; null where nothing was. */
  readonly seenAtMs: number | null;
}

/** A contradiction. */
export interface SetBackClaim {
  readonly person: PublicKeyHex;
  /** When this device was heard before, which then contradicted nothing, by the own clock; null where it was not. */
  readonly heardMs: number | null;
  readonly nowMs: number;
}

const NOTHING: SetBackRecord = { people: [], seenAtMs: null };

/** The evidence of one device, until its person has seen to it. */
export class SetBackEvidence {
  readonly #me: PublicKeyHex;
  #record: SetBackRecord;
  /** Called for each contradiction once there are enough. `isOwn`: it is that of an own device. */
  onFound: (isOwn: boolean) => void = () => undefined;

  constructor(me: PublicKeyHex, record: SetBackRecord = NOTHING) {
    this.#me = me;
    this.#record = record;
  }

  /** An own device contradicts. */
  get isOwn(): boolean {
    return this.#record.people.includes(this.#me);
  }

  /** It is enough to say so. */
  get isFound(): boolean {
    return this.isOwn || this.#record.people.length >= ENOUGH_PEOPLE;
  }

  /**
   * A device of a person contradicts. One that was silent since the person saw to what was found says the same once more: it counts for
   * nothing new. Stored each time, as the commit before may have failed.
   */
  note(batch: Pick<StoreBatch, "putMeta">, { person, heardMs, nowMs }: SetBackClaim): void {
    const { people, seenAtMs } = this.#record;
    const isSeen = seenAtMs !== null && seenAtMs <= nowMs && (heardMs === null || heardMs <= seenAtMs);
    if (isSeen) return;
    const isOwn = person === this.#me;
    if (!people.includes(person) && (isOwn || !this.isFound)) this.#record = { people: [...people, person], seenAtMs };
    batch.putMeta(SET_BACK_KEY, this.#record);
    if (this.isFound) this.onFound(isOwn);
  }

  /** The person has seen to it. */
  clear(batch: Pick<StoreBatch, "putMeta">, nowMs: number): void {
    if (this.#record.people.length > 0) this.#record = { people: [], seenAtMs: nowMs };
    if (this.#record.seenAtMs !== null) batch.putMeta(SET_BACK_KEY, this.#record);
  }
}
