// Hosts the keyring in a dedicated Worker: keys never exist in the page. The vault lies in IndexedDB as two records.
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { Keyring } from "#shared/keyring/keyring.ts";
import type { OtherWindows } from "#shared/keyring/keyring-dependencies.ts";
import { serveKeyring } from "#shared/keyring/serve-keyring.ts";
import type { VaultCopy, VaultStorage } from "#shared/keyring/vault/vault-copies.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import { hostClock, hostRandom, hostTimers } from "#shared/util/host.ts";
import { importStoreKey } from "./store-key.ts";

interface VaultDatabase extends DBSchema {
  copies: { key: VaultCopy; value: Uint8Array };
}

const DATABASE = "parley-vault";

/** The part of a Worker's global scope that is used here. */
interface WorkerScope {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  removeEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

const scope = globalThis as unknown as WorkerScope;

let hasResponded = false;

/** What a password needs is fetched ahead once the first response is out: the page shows the lock by it, and the node may go away. */
function post(message: unknown): void {
  scope.postMessage(message);
  if (hasResponded) return;
  hasResponded = true;
  import("#shared/keyring/vault/argon2.ts").catch(() => undefined);
}

serveKeyring(
  {
    post,
    listen: (listener) => {
      const onMessage = (event: MessageEvent): void => listener(event.data);
      scope.addEventListener("message", onMessage);
      return () => scope.removeEventListener("message", onMessage);
    },
  },
  new Keyring({
    ...{ storage: indexedDbVault(), random: hostRandom, clock: hostClock, timers: hostTimers, otherWindows: otherTabs() },
    lateKem: async () => (await import("./web-kem.ts")).webKem(),
  }),
  importStoreKey,
);

/** All tabs share the vault. */
function otherTabs(): OtherWindows {
  const channel = new BroadcastChannel(DATABASE);
  return {
    announce: () => channel.postMessage("replaced"),
    listen: (listener) => channel.addEventListener("message", () => listener()),
  };
}

/**
 * Two records of one object store, which all tabs share: comparing and writing are one transaction. Opening waits for the first use;
 * `strict` makes a finished write survive a power cut.
 */
function indexedDbVault(): VaultStorage {
  let opened: Promise<IDBPDatabase<VaultDatabase>> | undefined;
  const database = (): Promise<IDBPDatabase<VaultDatabase>> => {
    opened ??= openDB<VaultDatabase>(DATABASE, 1, { upgrade: (db) => void db.createObjectStore("copies") }).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    read: async (copy) => (await database()).get("copies", copy),
    replace: async (copy, expected, bytes): Promise<boolean> => {
      const transaction = (await database()).transaction("copies", "readwrite", { durability: "strict" });
      const stored = await transaction.store.get(copy);
      const isExpected = stored === undefined || expected === undefined ? stored === expected : equalBytes(stored, expected);
      if (isExpected) await transaction.store.put(bytes, copy);
      await transaction.done;
      return isExpected;
    },
  };
}
