// What a read asked for and was not known: collected while the read continues with nothing in its place, then fetched together.
import type { StateKey } from "../light-source.ts";

/** Things that one read wants in one round, at most: a read that goes astray without the first ones must not ask for the whole chain. */
const MAX_MISSING = 512;

/** Values missing in one round. */
export class MissingValues {
  readonly #keys = new Map<string, StateKey>();
  readonly #others = new Map<string, () => Promise<void>>();

  /** True when the read has got everything that it asked for. */
  get isEmpty(): boolean {
    return this.#keys.size === 0 && this.#others.size === 0;
  }

  /** Records of the state. */
  get keys(): readonly StateKey[] {
    return [...this.#keys.values()];
  }

  /** Fetchers of everything else. */
  get fetchers(): readonly (() => Promise<void>)[] {
    return [...this.#others.values()];
  }

  addRecord(name: string, key: StateKey): void {
    this.#assertRoom();
    this.#keys.set(name, key);
  }

  add(name: string, fetch: () => Promise<void>): void {
    this.#assertRoom();
    this.#others.set(name, fetch);
  }

  #assertRoom(): void {
    if (this.#keys.size + this.#others.size >= MAX_MISSING) throw new RangeError("A read asks for more than one round may fetch");
  }
}
