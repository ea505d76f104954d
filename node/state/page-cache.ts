// A bounded cache of tree pages in front of a store. It holds committed pages only; the oldest used ones leave first.
import type { PageChange, PageStore } from "./state-tree.ts";

/** Most pages kept by default: about 16 MiB. */
export const PAGE_CACHE_PAGES = 16_384;

/** A page store that remembers pages. Whoever writes pages to the store below says so here, after the write is durable. */
export class PageCache implements PageStore {
  readonly #store: PageStore;
  readonly #maxPages: number;
  readonly #pages = new Map<string, Uint8Array>();

  constructor(store: PageStore, maxPages: number = PAGE_CACHE_PAGES) {
    this.#store = store;
    this.#maxPages = maxPages;
  }

  /** Pages held now. */
  get size(): number {
    return this.#pages.size;
  }

  getPage(prefix: string): Uint8Array | undefined {
    const page = this.#pages.get(prefix) ?? this.#store.getPage(prefix);
    if (page !== undefined) this.#keep(prefix, page);
    return page;
  }

  /** Takes over pages that the store below has committed. */
  committed(changes: readonly PageChange[]): void {
    for (const { prefix, after } of changes) {
      if (after === undefined) this.#pages.delete(prefix);
      else this.#keep(prefix, after);
    }
  }

  /** Forgets everything, for when the store below changed by other means. */
  clear(): void {
    this.#pages.clear();
  }

  #keep(prefix: string, page: Uint8Array): void {
    this.#pages.delete(prefix);
    this.#pages.set(prefix, page);
    if (this.#pages.size <= this.#maxPages) return;
    const oldest = this.#pages.keys().next();
    if (!oldest.done) this.#pages.delete(oldest.value);
  }
}
