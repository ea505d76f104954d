// Runs in a browser: the message store and the search at full size, with real IndexedDB and WebCrypto.

import { openMessageDatabase, openMessageSearch } from "#renderer/storage/message-database.ts";
import { importStoreKey } from "#renderer/workers/store-key.ts";
import { decodePlaintext, encodeContent } from "#shared/content/content-codec.ts";
import { DeviceBox } from "#shared/keyring/devices/device-box.ts";
import { EpochKeys } from "#shared/keyring/devices/epoch-keys.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { MessageRecord } from "#shared/messenger/model/records.ts";
import { openLocalStore } from "#shared/messenger/store/local-store.ts";
import { scriptKem } from "#shared/protocol/pairs/script-kem.ts";
import { toHex } from "#shared/util/bytes.ts";
import { measurePairs, type PairFigures } from "./pair-figures.ts";

/** What was measured, milliseconds unless the name says otherwise. */
export interface MessengerFigures {
  readonly messages: number;
  readonly writtenPerSecond: number;
  readonly bytesPerMessage: number;
  readonly openMs: number;
  readonly firstSearchMs: number;
  readonly searchMs: number;
  readonly echoMs: readonly number[];
  readonly openedPerSecond: number;
  /** Of version 2. */
  readonly pairs: PairFigures;
}

const STEP = 500;
const CHATS = 50;
const ECHOES = 40;
const ENVELOPES = 500;
const WORDS =
  "the a of harbour lunch friday tomorrow meeting bring clock game chess usual place coffee thanks see you soon ticket train".split(" ");

const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

/** Fills a store, opens it again, searches in it, and takes it down again. */
export async function measureMessenger(count: number): Promise<MessengerFigures> {
  const keys: StoreKeys<CryptoKey> = {
    name: toHex(random(8)),
    recordKey: await importStoreKey(random(32), "encrypt"),
    indexKey: await importStoreKey(random(32), "authenticate"),
    formerKeys: [],
    dayKeys: [],
  };
  const chats = Array.from({ length: CHATS }, () => toHex(random(32)));
  const before = await usage();
  const writtenMs = await timed(() => fill(keys, chats, count));
  const bytes = (await usage()) - before;
  let store = await openLocalStore({ keys, openDatabase: openMessageDatabase, onLost: () => undefined });
  store.close();
  const openMs = await timed(async () => {
    store = await openLocalStore({ keys, openDatabase: openMessageDatabase, onLost: () => undefined });
    await store.loadConversations();
    await store.loadStreams();
    await store.readPage(chats[0] ?? "", undefined, 50);
  });
  const search = await openMessageSearch(keys);
  const firstSearchMs = await timed(() => search.find({ text: "harbour clock", limit: 50 }));
  const searchMs = await timed(() => search.find({ text: "chess train", limit: 50 }));
  const echoMs: number[] = [];
  for (let index = 0; index < ECHOES; index += 1) {
    echoMs.push(
      await timed(async () => {
        const batch = store.begin();
        batch.putSearchable(await store.messageKey(chats[0] ?? "", `echo${index}`), record(chats[0] ?? "", count + index));
        await batch.commit();
      }),
    );
  }
  search.close();
  store.close();
  return {
    messages: count,
    writtenPerSecond: (count * 1_000) / writtenMs,
    bytesPerMessage: bytes / count,
    openMs,
    firstSearchMs,
    searchMs,
    echoMs,
    openedPerSecond: (ENVELOPES * 1_000) / (await openingMs()),
    pairs: measurePairs(scriptKem, ENVELOPES),
  };
}

async function fill(keys: StoreKeys<CryptoKey>, chats: readonly string[], count: number): Promise<void> {
  const store = await openLocalStore({ keys, openDatabase: openMessageDatabase, onLost: () => undefined });
  for (let start = 0; start < count; start += STEP) {
    const batch = store.begin();
    for (let index = start; index < Math.min(count, start + STEP); index += 1) {
      const chat = chats[index % chats.length] ?? "";
      batch.putSearchable(await store.messageKey(chat, String(index)), record(chat, index));
    }
    await batch.commit();
  }
  for (const id of chats) {
    const batch = store.begin();
    batch.putConversation({ id, unread: 0, lastMessage: null, draft: "", hasSent: true, updatedAt: 1 });
    await batch.commit();
  }
  store.close();
}

/** Opens and decodes envelopes that are sealed to an epoch key, as a worker does with a backlog. */
async function openingMs(): Promise<number> {
  const sender = new DeviceBox(random(32), random);
  const recipient = new DeviceBox(random(32), random);
  const epochs = new EpochKeys([], random);
  epochs.renew({ ownS: 1_800_000_000 });
  const { epochPub = "" } = epochs.prekey ?? {};
  const content = {
    id: "01".repeat(16),
    from: "aa".repeat(32),
    fromDevice: sender.publicKey,
    to: "cc".repeat(32),
    chainId: "bench",
    at: 1,
  };
  const plaintext = encodeContent({ ...content, body: { kind: "text", text: "See you on Friday at the harbour" } });
  const request = { plaintext, recipients: [recipient.publicKey], sentAt: 1, epochPub };
  const envelopes = sender.seal(
    Array.from({ length: ENVELOPES }, () => request),
    "aa".repeat(32),
  );
  return timed(() => {
    for (const item of recipient.open(envelopes, epochs)) if (item.plaintext !== null) decodePlaintext(item.plaintext);
    return Promise.resolve();
  });
}

function record(conversation: string, index: number): MessageRecord {
  const text = Array.from({ length: 12 }, (_, word) => WORDS[(index * 7 + word * word + (index >> 5)) % WORDS.length]).join(" ");
  return {
    conversation,
    id: index.toString(16).padStart(32, "0"),
    direction: index % 2 === 0 ? "in" : "out",
    at: 1_700_000_000_000 + index * 1_000,
    body: { kind: "text", text },
    state: index % 2 === 0 ? null : "read",
    problem: null,
    isUnread: false,
    hasReceipts: true,
    raw: null,
  };
}

async function usage(): Promise<number> {
  return (await navigator.storage.estimate()).usage ?? 0;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
