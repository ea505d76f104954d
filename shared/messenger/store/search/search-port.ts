// The search behind a message port: its index lives in a worker, so that neither loading nor scanning holds the window up.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { OpenDatabase } from "../store-database.ts";
import { type MessageSearch, type SearchHit, SearchIndex, type SearchQuery } from "./search-index.ts";

/** One end of a channel; a Worker is one. Messages are structured clones. */
export interface SearchChannel {
  post(message: unknown): void;
  listen(listener: (message: unknown) => void): void;
  /** Ends the other side. */
  close(): void;
}

type Request = { readonly id: number; readonly keys: StoreKeys<CryptoKey> } | { readonly id: number; readonly query: SearchQuery };
type Response = { readonly id: number; readonly hits: readonly SearchHit[] } | { readonly id: number; readonly failed: true };

/** Opens the index of a store in this thread. */
export async function openSearch(keys: StoreKeys<CryptoKey>, openDatabase: OpenDatabase): Promise<MessageSearch> {
  const database = await openDatabase(keys.name, () => undefined);
  return new SearchIndex(database, keys);
}

/** Answers the requests of a channel: first the keys of the store, then queries. */
export function serveSearch(channel: Omit<SearchChannel, "close">, openDatabase: OpenDatabase): void {
  let search: Promise<MessageSearch> | undefined;
  const respond = async (request: Request): Promise<Response> => {
    try {
      if ("keys" in request) {
        if (search === undefined) search = openSearch(request.keys, openDatabase);
        else (await search).renew(request.keys);
        await search;
        return { id: request.id, hits: [] };
      }
      return { id: request.id, hits: (await (await search)?.find(request.query)) ?? [] };
    } catch {
      return { id: request.id, failed: true };
    }
  };
  channel.listen((message) => void respond(message as Request).then((response) => channel.post(response)));
}

/** The other end of {@link serveSearch}. */
export function createSearchClient(channel: SearchChannel, keys: StoreKeys<CryptoKey>): MessageSearch {
  const waiting = new Map<number, { resolve(hits: readonly SearchHit[]): void; reject(error: CodedError): void }>();
  let lastId = 0;
  channel.listen((message) => {
    const response = message as Response;
    const request = waiting.get(response.id);
    waiting.delete(response.id);
    if ("hits" in response) request?.resolve(response.hits);
    else request?.reject(new CodedError("LOCAL_STORE_FAILED", "The search failed; no messages were changed"));
  });
  const ask = (fields: { readonly keys: StoreKeys<CryptoKey> } | { readonly query: SearchQuery }): Promise<readonly SearchHit[]> => {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      channel.post({ id, ...fields });
    });
  };
  let opened = ask({ keys });
  return {
    find: async (query): Promise<readonly SearchHit[]> => {
      await opened;
      return ask({ query });
    },
    renew: (renewed): void => {
      opened = ask({ keys: renewed });
      // What follows fails with it.
      opened.catch(() => undefined);
    },
    close: (): void => {
      channel.close();
      for (const { reject } of waiting.values()) reject(new CodedError("MESSENGER_UNAVAILABLE", "The search has been closed"));
      waiting.clear();
    },
  };
}
