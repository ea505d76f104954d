// Starts the search over messages in a Worker of its own.

import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { MessageSearch } from "#shared/messenger/store/search/search-index.ts";
import { createSearchClient } from "#shared/messenger/store/search/search-port.ts";

/** A search over the store of these keys. */
export function openSearchWorker(keys: StoreKeys<CryptoKey>): MessageSearch {
  const worker = new Worker(new URL("../../workers/search-worker.ts", import.meta.url), { type: "module", name: "search" });
  return createSearchClient(
    {
      post: (message) => worker.postMessage(message),
      listen: (listener) => worker.addEventListener("message", (event: MessageEvent) => listener(event.data)),
      close: () => worker.terminate(),
    },
    keys,
  );
}
