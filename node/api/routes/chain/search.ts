// Search over everything that the explorer shows.

import type { ReadQueries } from "#node/queries/read-queries.ts";
import type { Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Handlers } from "../../handler-types.ts";

export function createSearchHandlers({ search }: Pick<ReadQueries, "search">): Pick<Handlers, "search"> {
  return {
    search: async ({ q, limit = 10 }): Promise<Output<"search">> => {
      const query = q.trim();
      if (query === "")
        throw new CodedError("BAD_REQUEST", "q is what to search for: a height, a hash, an id, a key, an address or a name");
      return await search.search(query, limit);
    },
  };
}
