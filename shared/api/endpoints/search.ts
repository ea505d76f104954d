// Search over everything that the explorer shows.
import * as Type from "typebox";
import { type EndpointGroup, limitQuery, publicRead } from "../endpoint.ts";
import * as schema from "../schemas/search.ts";

/** Longest text to search for, characters: no id is longer. */
export const MAX_SEARCH_CHARS = 128;

export const searchEndpoints = {
  search: publicRead({
    tag: "Search",
    summary: "Blocks, transactions, accounts, usernames, contracts, tokens, NFTs and nodes that a text names; `limit` holds for each group",
    unverified: "completeness",
    heavy: "always",
    query: Type.Object({ q: Type.String({ minLength: 1, maxLength: MAX_SEARCH_CHARS }), limit: limitQuery(10, 50) }),
    response: schema.SearchResult,
  }),
} as const satisfies EndpointGroup;
