// A bounded memory of named values in two generations: what is used moves to the young one, and when that is full the old one is
// forgotten. It keeps what was used lately, as a list of uses would, without moving anything on most reads.

/** Bytes that an entry takes beside its name and value, about. */
const ENTRY_BYTES = 200;

/** Values by name. */
export class GenerationCache<T> {
  readonly #sizeOf: (value: T) => number;
  readonly #maxGenerationBytes: number;
  #young = new Map<string, T>();
  #old = new Map<string, T>();
  #youngBytes = 0;
  #oldBytes = 0;

  /** @param maxBytes bound of what is held, as `sizeOf` counts values; at least one value is held. */
  constructor(maxBytes: number, sizeOf: (value: T) => number) {
    this.#sizeOf = sizeOf;
    this.#maxGenerationBytes = maxBytes / 2;
  }

  /** Bytes held now, about; what both generations hold counts twice. */
  get bytes(): number {
    return this.#youngBytes + this.#oldBytes;
  }

  get(name: string): T | undefined {
    const young = this.#young.get(name);
    if (young !== undefined) return young;
    const old = this.#old.get(name);
    if (old !== undefined) this.set(name, old);
    return old;
  }

  set(name: string, value: T): void {
    const replaced = this.#young.get(name);
    const bytes = this.#bytesOf(name, value);
    const freed = replaced === undefined ? 0 : this.#bytesOf(name, replaced);
    if (this.#youngBytes > 0 && this.#youngBytes + bytes - freed > this.#maxGenerationBytes) {
      this.#old = this.#young;
      this.#oldBytes = this.#youngBytes;
      this.#young = new Map([[name, value]]);
      this.#youngBytes = bytes;
      return;
    }
    this.#young.set(name, value);
    this.#youngBytes += bytes - freed;
  }

  /** Forgets one value. */
  delete(name: string): void {
    const [young, old] = [this.#young.get(name), this.#old.get(name)];
    if (young !== undefined) this.#youngBytes -= this.#bytesOf(name, young);
    if (old !== undefined) this.#oldBytes -= this.#bytesOf(name, old);
    this.#young.delete(name);
    this.#old.delete(name);
  }

  #bytesOf(name: string, value: T): number {
    return ENTRY_BYTES + name.length + this.#sizeOf(value);
  }
}
