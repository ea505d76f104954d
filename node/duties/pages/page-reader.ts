// Says what a page says of itself, for the preview of a link that the owner of the node writes to someone. The node asks, so that neither
// the interface nor who gets the message does.
import { MAX_LINK_BYTES } from "#shared/content/chat/link-preview.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { shownImage } from "#shared/media/shown-image.ts";
import { utf8Length } from "#shared/util/bytes.ts";
import type { Clock } from "#shared/util/clock.ts";
import { readHead, textOfPage } from "./page-head.ts";
import { PublicPages, type PublicPagesOptions, type Wanted } from "./public-pages.ts";

/** Pages within {@link PAGES_MS}: a person writes no more links, and a page of the interface that was taken over asks no more servers. */
export const MAX_PAGES = 30;
export const PAGES_MS = 600_000;
/** Pages that are read at once. */
export const MAX_AT_ONCE = 4;
/** Beginning of a page that is read, bytes: what it says of itself stands there. */
export const MAX_PAGE_BYTES = 524_288;
/** Largest picture, bytes. */
export const MAX_PAGE_PICTURE_BYTES = 1_048_576;

const PAGE: Wanted = {
  accept: "text/html,application/xhtml+xml",
  isRight: (type) => type === "text/html" || type === "application/xhtml+xml",
  maxBytes: MAX_PAGE_BYTES,
  takesBeginning: true,
};
const PICTURE: Wanted = {
  accept: "image/webp,image/png,image/jpeg,image/gif",
  isRight: (type) => type.startsWith("image/"),
  maxBytes: MAX_PAGE_PICTURE_BYTES,
  takesBeginning: false,
};

/** What a page says of itself. */
export interface PageSummary {
  readonly title: string;
  /** May be "". */
  readonly description: string;
  /** PNG, JPEG, WebP or GIF as it came, of a size that may be decoded; undefined without one. */
  readonly picture: Uint8Array | undefined;
}

export interface PageReaderOptions extends PublicPagesOptions {
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** Reads pages, few at a time. */
export class PageReader {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #pages: PublicPages;
  #startedMs: readonly number[] = [];
  #running = 0;

  constructor({ clock, ...options }: PageReaderOptions) {
    this.#clock = clock;
    this.#pages = new PublicPages(options);
  }

  /** @throws CodedError BAD_REQUEST for a link that is never asked, RATE_LIMITED, UPSTREAM_FAILED also for a page without a title */
  async summaryOf(link: string): Promise<PageSummary> {
    if (utf8Length(link) > MAX_LINK_BYTES) throw new CodedError("BAD_REQUEST", "The link is too long", { details: { field: "url" } });
    this.#takeTurn();
    this.#running += 1;
    try {
      return await this.#read(link);
    } finally {
      this.#running -= 1;
    }
  }

  #takeTurn(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#startedMs = this.#startedMs.filter((startedMs) => nowMs - startedMs < PAGES_MS);
    if (this.#startedMs.length >= MAX_PAGES || this.#running >= MAX_AT_ONCE)
      throw new CodedError("RATE_LIMITED", `At most ${MAX_PAGES} pages are read within ten minutes, and ${MAX_AT_ONCE} at once`);
    this.#startedMs = [...this.#startedMs, nowMs];
  }

  async #read(link: string): Promise<PageSummary> {
    const { address, contentType, bytes } = await this.#pages.get(link, PAGE);
    const { title, description, picture } = readHead(textOfPage(bytes, contentType));
    if (title === "") throw new CodedError("UPSTREAM_FAILED", "The page does not say what it is");
    return { title, description, picture: picture === undefined ? undefined : await this.#picture(picture, address) };
  }

  /** A page without its picture is better than none. */
  async #picture(named: string, page: URL): Promise<Uint8Array | undefined> {
    const { bytes } = (await this.#pages.get(URL.parse(named, page.href)?.href ?? "", PICTURE).catch(() => undefined)) ?? {};
    return bytes !== undefined && shownImage(bytes) !== undefined ? bytes : undefined;
  }
}
