// Contact requests that a key received and sent, in pages.
import { formatContactCursor } from "#node/queries/contact-cursor.ts";
import type { ListOf, ListPage, ReadQueries } from "#node/queries/read-queries.ts";
import type { Output } from "#shared/api/api.ts";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import type { Handlers } from "../../handler-types.ts";
import { boundedPage } from "../bounded-page.ts";

/** Requests of a page when the request does not say; 2 MiB often end it before. */
const DEFAULT_LIMIT = 5_000;

/** The part of a contact request that says where it is in the list. */
interface ListedContact {
  readonly created_at: number;
  readonly tx_id: string;
}

export function createContactHandlers({ explorer }: Pick<ReadQueries, "explorer">): Pick<Handlers, "listContacts" | "listSentContacts"> {
  return {
    listContacts: async (input): Promise<Output<"listContacts">> => {
      const pub = parseAccount(input.pub);
      const page = { ...pageOf(input), withBlocks: input.include === "blocks" };
      return { pub, ...listOf(await explorer.contactsOf(pub, page)) };
    },
    listSentContacts: async (input): Promise<Output<"listSentContacts">> => {
      const pub = parseAccount(input.pub);
      return { pub, ...listOf(await explorer.contactsRequestedBy(pub, pageOf(input))) };
    },
  };
}

function pageOf({ limit = DEFAULT_LIMIT, after }: { readonly limit?: number; readonly after?: string }): ListPage {
  return after === undefined ? { limit } : { limit, after };
}

function listOf<T extends ListedContact>(page: ListOf<T>): { count: number; contacts: T[]; has_more: boolean; next_after?: string } {
  const { items, next } = boundedPage(page, (item) => formatContactCursor({ createdAt: item.created_at, txId: item.tx_id }));
  return { count: items.length, contacts: [...items], has_more: next !== undefined, ...(next !== undefined && { next_after: next }) };
}
