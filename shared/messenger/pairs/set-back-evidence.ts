// Who contradicts what this device knows of its own contents: it was set back to an older state, or copied. One person may lie, and takes
// nothing from anyone by it; the person's own devices do not, nor do two people who say the same.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { StoreBatch } from "../store/store-batch.ts";

/** Key of these people in the store. */
export const SET_BACK_KEY = "setBackBy";

const ENOUGH_PEOPLE = 2;

/** The evidence of one device, until its person has seen to it. */
export class SetBackEvidence {
  readonly #me: PublicKeyHex;
  #people: readonly PublicKeyHex[];
  /** Called when it becomes enough. */
  onFound: () => void = () => undefined;

  constructor(me: PublicKeyHex, people: readonly PublicKeyHex[]) {
    this.#me = me;
    this.#people = people;
  }

  /** It is enough to say so. */
  get isFound(): boolean {
    return this.#people.includes(this.#me) || this.#people.length >= ENOUGH_PEOPLE;
  }

  /** A device of this person contradicts; at most two people are remembered. */
  note(batch: Pick<StoreBatch, "putMeta">, person: PublicKeyHex): void {
    if (this.isFound || this.#people.includes(person)) return;
    this.#people = [...this.#people, person];
    batch.putMeta(SET_BACK_KEY, this.#people);
    if (this.isFound) this.onFound();
  }

  /** The person has seen to it. */
  clear(batch: Pick<StoreBatch, "putMeta">): void {
    if (this.#people.length === 0) return;
    this.#people = [];
    batch.putMeta(SET_BACK_KEY, []);
  }
}
