// One side of `npm run soak -- --files`: a device of a person with an engine over its own files, in a process that is killed at any time. The
// old one has many large files, the new one takes them over.
import { setTimeout as delay } from "node:timers/promises";
import { openAgentKeyring } from "#agent/keyring/agent-keyring.ts";
import { followingClient, followingConnection } from "#agent/network/followed-node.ts";
import { importStoreKey } from "#agent/network/import-store-key.ts";
import { startMessenger } from "#agent/network/run-messenger.ts";
import { openMessagesIn } from "#node/storage/messages/message-database.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import { importStoreKeys, type KeyringPort } from "#shared/keyring/port.ts";
import { serveKeyring } from "#shared/keyring/serve-keyring.ts";
import type { StoreDatabase } from "#shared/messenger/store/store-database.ts";
import { storeDeviceTransfer } from "#shared/messenger/transfer/store-device-transfer.ts";
import type { ByteSource } from "#shared/util/byte-source.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { portPair } from "../support/worlds/port-pair.ts";

/** What the parent asks. */
export type FileOrder =
  | { readonly type: "fill"; readonly files: number; readonly bytes: number }
  | { readonly type: "send"; readonly devicePub: string }
  | { readonly type: "verify" }
  /** Its disk takes nothing more for a time. */
  | { readonly type: "full"; readonly forMs: number }
  | { readonly type: "stop" };

/** What a device reports. */
export type FileReport =
  | { readonly type: "ready"; readonly devicePub: string }
  | { readonly type: "filled"; readonly files: number }
  | {
      readonly type: "progress";
      readonly done: number;
      readonly total: number;
      readonly phase: string;
      readonly leftMs: number | null;
    }
  | { readonly type: "verified"; readonly files: number; readonly bytes: number; readonly wrong: readonly string[] };

const REPORT_MS = 250;
const [dir = "", endpointFile = "", password = "", session = "", role = ""] = process.argv.slice(2);
const report = (message: FileReport): void => void process.send?.(message);

const agent = await openAgentKeyring(dir);
await agent.keyring.unlock({ password });
const { account } = await agent.keyring.status();
if (account === null) throw new Error("The keyring is locked");
if (role === "first")
  await storeDeviceTransfer(
    (await importStoreKeys(await agent.keyring.storeKeys(), importStoreKey)) as StoreKeys<CryptoKey>,
    fromHex(session),
    openMessagesIn(dir),
  );
const source = { endpointFile };
const client = followingClient(source);
const live = followingConnection(source);
const { chain_id: chainId } = await client.getNetworkInfo({});
const [near, far]: readonly [KeyringPort, KeyringPort] = portPair();
serveKeyring(far, agent.keyring, (raw) => Promise.resolve(raw.slice()));
let fullUntilMs = 0;
const messenger = await startMessenger({ folder: dir, client, live, port: near, chainId, openDatabase: openFillable });
const me = account.masterPub;

process.on("message", (order: FileOrder) => {
  if (order.type === "fill") void fill(order);
  else if (order.type === "verify") void verify();
  else if (order.type === "full") fullUntilMs = performance.now() + order.forMs;
  else if (order.type === "send")
    void messenger.sendDeviceTransfer({
      session: fromHex(session),
      keepsakes: "",
      sinceMs: 0,
      deviceName: "New",
      devicePub: order.devicePub,
    });
  else void stop();
});
process.on("disconnect", () => void stop());
report({ type: "ready", devicePub: account.devicePub });
void watch();

/** The store of an agent, on a disk that can be full. */
async function openFillable(name: string, onLost: () => void): Promise<StoreDatabase> {
  const database = await openMessagesIn(dir)(name, onLost);
  const write = database.write.bind(database);
  database.write = (changes, expected): Promise<boolean> =>
    performance.now() < fullUntilMs ? Promise.reject(new Error("SQLITE_FULL: database or disk is full")) : write(changes, expected);
  return database;
}

async function watch(): Promise<void> {
  for (;;) {
    const view = messenger.getSnapshot().deviceTransfer;
    if (view !== null) {
      const { done, total, phase, leftMs } = view;
      report({ type: "progress", done, total, phase, leftMs });
    }
    await delay(REPORT_MS);
  }
}

/** Files of pseudo-random bytes in the notes to oneself. */
async function fill({ files, bytes }: Extract<FileOrder, { type: "fill" }>): Promise<void> {
  for (let file = 0; file < files; file += 1)
    await messenger.sendFile(me, {
      ...{ name: `file-${file}`, mediaType: "application/octet-stream", caption: "", image: null },
      bytes: sourceOf(file, bytes),
    });
  report({ type: "filled", files });
}

function sourceOf(file: number, size: number): ByteSource {
  return { size, read: async (start, end) => bytesOf(file, start, end) };
}

/** The bytes of a file from one position to another: each word follows from the file and its place. */
function bytesOf(file: number, start: number, end: number): Uint8Array {
  const first = start >>> 2;
  const words = new Uint32Array(Math.ceil(end / 4) - first);
  const seed = Math.imul(file + 1, 0x9e3779b1);
  for (let word = 0; word < words.length; word += 1) words[word] = Math.imul((first + word) ^ seed, 0x85ebca6b);
  return new Uint8Array(words.buffer, start & 3, end - start);
}

/** Every file is read part by part, as a person would save it. */
async function verify(): Promise<void> {
  const wrong: string[] = [];
  let [files, bytes] = [0, 0];
  const view = messenger.openConversation(me);
  await view.loadOlder();
  while (view.getSnapshot().hasOlder) await view.loadOlder();
  for (const { key, body } of view.getSnapshot().messages) {
    if (body.kind !== "attachment") continue;
    files += 1;
    const stored = await messenger.readFileParts(key);
    let at = 0;
    for await (const part of stored?.parts ?? []) {
      if (Buffer.compare(part, bytesOf(Number(body.name.slice(5)), at, at + part.length)) !== 0) wrong.push(`${body.name} at ${at}`);
      at += part.length;
    }
    if (at !== body.size) wrong.push(`${body.name} has ${at} of ${body.size} bytes`);
    bytes += at;
  }
  view.close();
  report({ type: "verified", files, bytes, wrong: wrong.slice(0, 10) });
}

async function stop(): Promise<void> {
  await messenger.stop();
  live.close();
  await agent.close();
  process.exit(0);
}
