// A bounded cache of tree pages in front of a store. It holds committed pages only; the oldest used ones leave first.
import type { PageChange, PageStore } from "./state-tree.ts";

/** Most bytes of pages kept by default. */
export const PAGE_CACHE_BYTES = 33_554_432;

/** A page store that remembers pages. Whoever writes pages to the store below says so here, after the write is durable. */
export class PageCache implements PageStore {
  readonly #store: PageStore;
  readonly #maxBytes: number;
  readonly #pages = new Map<string, Uint8Array>();
  #bytes = 0;

  constructor(store: PageStore, maxBytes: number = PAGE_CACHE_BYTES) {
    this.#store = store;
    this.#maxBytes = maxBytes;
  }

  /** Bytes of the pages held now. */
  get bytes(): number {
    return this.#bytes;
  }

  getPage(prefix: string): Uint8Array | undefined {
    const page = this.#pages.get(prefix) ?? this.#store.getPage(prefix);
    if (page !== undefined) this.#keep(prefix, page);
    return page;
  }

  /** Takes over pages that the store below has committed. */
  committed(changes: readonly PageChange[]): void {
    for (const { prefix, after } of changes) {
      if (after === undefined) this.#forget(prefix);
      else this.#keep(prefix, after);
    }
  }

  /** Forgets everything, for when the store below changed by other means. */
  clear(): void {
    this.#pages.clear();
    this.#bytes = 0;
  }

  #keep(prefix: string, page: Uint8Array): void {
    this.#forget(prefix);
    this.#pages.set(prefix, page);
    this.#bytes += page.length;
    for (const oldest of this.#pages.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#forget(oldest);
    }
  }

  #forget(prefix: string): void {
    const page = this.#pages.get(prefix);
    if (page === undefined) return;
    this.#pages.delete(prefix);
    this.#bytes -= page.length;
  }
}
