// Hosts the search over messages. It gets keys that it can use and not read, and ends when the messenger stops.
import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import { serveSearch } from "#shared/messenger/store/search/search-port.ts";

/** The part of a Worker's global scope that is used here. */
interface WorkerScope {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

const scope = globalThis as unknown as WorkerScope;

serveSearch(
  {
    post: (message) => scope.postMessage(message),
    listen: (listener) => scope.addEventListener("message", (event) => listener(event.data)),
  },
  openMessageDatabase,
);
