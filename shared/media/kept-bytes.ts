// Collects the parts of a picture that stay, and puts them together once at the end. Neighbouring parts are kept as one.
import { joinBytes } from "./image-bytes.ts";

/** Parts of one source in order, with new bytes between them where needed. */
export class KeptBytes {
  readonly #source: Uint8Array;
  readonly #parts: Uint8Array[] = [];
  #start = 0;
  #end = 0;

  constructor(source: Uint8Array) {
    this.#source = source;
  }

  /** Keeps the source's bytes from `start` up to `end`. */
  keep(start: number, end: number): void {
    if (start !== this.#end) {
      this.#flush();
      this.#start = start;
    }
    this.#end = end;
  }

  /** Puts new bytes after what was kept so far. */
  insert(...parts: readonly Uint8Array[]): void {
    const end = this.#end;
    this.#flush();
    this.#start = end;
    this.#end = end;
    this.#parts.push(...parts);
  }

  /** Everything kept, in order. */
  bytes(): Uint8Array {
    this.#flush();
    return joinBytes(this.#parts);
  }

  #flush(): void {
    if (this.#end > this.#start) this.#parts.push(this.#source.subarray(this.#start, this.#end));
    this.#start = this.#end;
  }
}
