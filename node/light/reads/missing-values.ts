// What a read asked for and was not known: collected while the read continues with nothing in its place, then fetched together.
import { LIGHT_LIMITS } from "../light-limits.ts";
import type { StateKey } from "../light-source.ts";

const { missingPerPass } = LIGHT_LIMITS;

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
    if (this.#keys.size + this.#others.size >= missingPerPass) throw new RangeError("A read asks for more than one round may fetch");
  }
}
