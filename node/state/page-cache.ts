// A bounded cache of tree pages in front of a store. It holds committed pages only.
import { GenerationCache } from "./generation-cache.ts";
import { pageMemoryBytes } from "./page-edit.ts";
import type { PageChange, PageStore } from "./state-tree.ts";

/** Most bytes of pages kept by default. */
export const PAGE_CACHE_BYTES = 50_331_648;

/** A page store that remembers pages. A writer of pages to the store below reports them here, after the write is durable. */
export class PageCache implements PageStore {
  readonly #store: PageStore;
  readonly #pages: GenerationCache<Uint8Array>;

  constructor(store: PageStore, maxBytes: number = PAGE_CACHE_BYTES) {
    this.#store = store;
    this.#pages = new GenerationCache(maxBytes, pageMemoryBytes);
  }

  /** Bytes held now, about. */
  get bytes(): number {
    return this.#pages.bytes;
  }

  getPage(prefix: string): Uint8Array | undefined {
    const known = this.#pages.get(prefix);
    if (known !== undefined) return known;
    const page = this.#store.getPage(prefix);
    if (page !== undefined) this.#pages.set(prefix, page);
    return page;
  }

  /** Takes over pages that the store below has committed. */
  committed(changes: readonly PageChange[]): void {
    for (const { prefix, after } of changes) {
      if (after === undefined) this.#pages.delete(prefix);
      else this.#pages.set(prefix, after);
    }
  }
}
