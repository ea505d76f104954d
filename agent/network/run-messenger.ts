// The messaging engine of an agent: over SQLite, over the node that is followed, with a keyring in another process.
import type { webcrypto } from "node:crypto";
import { statfs } from "node:fs/promises";
import { loadSodium } from "#node/crypto/sodium.ts";
import { openMessagesIn } from "#node/storage/messages/message-database.ts";
import type { NodeClient } from "#shared/api/client.ts";
import type { LiveConnection } from "#shared/api/socket/websocket-client.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import { createKeyringClient, importStoreKeys, type KeyringClient, type KeyringPort } from "#shared/keyring/port.ts";
import { createMessenger } from "#shared/messenger/create-messenger.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { createLinkNode } from "#shared/messenger/node/link-node.ts";
import { createMessengerNode } from "#shared/messenger/node/messenger-node.ts";
import type { LockRequester } from "#shared/messenger/store/leader-lock.ts";
import { openSearch } from "#shared/messenger/store/search/search-port.ts";
import type { OpenDatabase } from "#shared/messenger/store/store-database.ts";
import { hostClock, hostRandom, hostTimers } from "#shared/util/host.ts";
import { importStoreKey } from "./import-store-key.ts";
import { watchLink } from "./watch-link.ts";

/** What it runs over. */
export interface MessengerParts {
  readonly folder: string;
  readonly client: NodeClient;
  readonly live: LiveConnection;
  readonly port: KeyringPort;
  readonly chainId: string;
  /** Its store; in the folder by default. */
  readonly openDatabase?: OpenDatabase;
  /** The agent was linked by a device of its person, who has unlinked it. */
  readonly onUnlinked?: () => void;
}

/** The lock of the folder is held by the process with the keys: there is no second engine. */
const ALONE: LockRequester = { request: (_name, _options, callback) => callback({}) };

/** Starts the engine; it stops when the keyring locks. */
export async function startMessenger(parts: MessengerParts): Promise<Messenger> {
  const { folder, client, live, port, chainId, openDatabase = openMessagesIn(folder), onUnlinked } = parts;
  const keyring = withImportedKeys(createKeyringClient<Uint8Array>(port));
  const messenger = createMessenger({
    node: createMessengerNode(
      { client, live },
      { chainId, inboxProof: (request) => keyring.inboxProof(request), signDeletion: (request) => keyring.signDeletion(request) },
    ),
    keyring,
    locks: ALONE,
    clock: hostClock,
    timers: hostTimers,
    random: hostRandom,
    openDatabase,
    openSearch: (keys) => openSearch(keys, openDatabase),
    room: { freeBytes: () => freeBytes(folder), keep: () => Promise.resolve() },
    linkNode: createLinkNode({ client, live }, chainId, loadSodium()?.boxes),
    restoreSavedNotes: () => Promise.resolve(),
    sweepItems: () => Promise.resolve(true),
    // No person reads here: what a program read, it says itself.
    settings: { sendReadReceipts: false, typing: false },
  });
  const { account, isLinked } = await keyring.status();
  if (account !== null)
    live.subscribe(`account:${account.masterPub}`, ({ tx_type: type }) => {
      if (type.includes("CONTACT") || type.includes("DEVICE") || type.includes("KEY")) messenger.refreshContacts().catch(() => undefined);
    });
  await messenger.start();
  if (account !== null && isLinked === true && onUnlinked !== undefined) watchLink({ client, live }, account, onUnlinked);
  return messenger;
}

/** Bytes that the disk of a folder has left for this user. */
async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

function withImportedKeys(client: KeyringClient<Uint8Array>): KeyringClient<webcrypto.CryptoKey> {
  return {
    ...client,
    storeKeys: async (): Promise<StoreKeys<webcrypto.CryptoKey>> => importStoreKeys(await client.storeKeys(), importStoreKey),
  };
}
