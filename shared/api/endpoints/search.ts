// Search over everything that the explorer shows.
import * as Type from "typebox";
import { endpoint, limitQuery, NoBody, NoFields } from "../endpoint.ts";
import * as schema from "../schemas/search.ts";

/** Longest text to search for, characters: no id is longer. */
export const MAX_SEARCH_CHARS = 128;

export const searchEndpoints = {
  search: endpoint({
    method: "GET",
    path: "/api/search",
    tag: "Search",
    summary: "Blocks, transactions, accounts, usernames, contracts, tokens, NFTs and nodes that a text names; `limit` holds for each group",
    access: "read",
    params: NoFields,
    query: Type.Object({ q: Type.String({ minLength: 1, maxLength: MAX_SEARCH_CHARS }), limit: limitQuery(10, 50) }),
    body: NoBody,
    response: schema.SearchResult,
    errors: [],
  }),
} as const;
