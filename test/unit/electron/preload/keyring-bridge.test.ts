import { MessageChannel, type MessagePort } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { importStoreKey } from "#electron/preload/import-store-key.ts";
import { type BridgePort, bridgeKeyring } from "#electron/preload/keyring-bridge.ts";
import { Keyring } from "#shared/keyring/keyring.ts";
import { createKeyringClient, type KeyringClient, type KeyringPort } from "#shared/keyring/port.ts";
import { serveKeyring } from "#shared/keyring/serve-keyring.ts";
import { CHEAP_ARGON2, ManualTime, MemoryVault, systemRandom } from "#test/support/worlds/keyring-world.ts";

const ports: MessagePort[] = [];

function bridgePort(port: MessagePort): BridgePort {
  ports.push(port);
  return { postMessage: (message) => port.postMessage(message), onMessage: (listener) => void port.on("message", listener) };
}

function keyringPort(port: MessagePort, seen: unknown[] = []): KeyringPort {
  ports.push(port);
  return {
    post: (message) => port.postMessage(message),
    listen: (listener): (() => void) => {
      const onMessage = (message: unknown): void => {
        seen.push(message);
        listener(message);
      };
      port.on("message", onMessage);
      return () => port.off("message", onMessage);
    },
  };
}

interface Connection {
  readonly client: KeyringClient<CryptoKey>;
  readonly seenByPage: unknown[];
  /** What a page that was taken over posts. */
  post(message: unknown): void;
}

function connect(): Connection {
  const time = new ManualTime();
  const keyring = new Keyring({ storage: new MemoryVault(), random: systemRandom, clock: time, timers: time, argon2: CHEAP_ARGON2 });
  const outer = new MessageChannel();
  const inner = new MessageChannel();
  const seenByPage: unknown[] = [];
  serveKeyring(keyringPort(outer.port1), keyring, (raw) => Promise.resolve(new Uint8Array(raw)));
  bridgeKeyring(bridgePort(inner.port1), bridgePort(outer.port2), importStoreKey);
  const client = createKeyringClient<CryptoKey>(keyringPort(inner.port2, seenByPage));
  return { client, seenByPage, post: (message) => inner.port2.postMessage(message) };
}

describe("the bridge between page and keyring", () => {
  afterEach(() => {
    for (const port of ports.splice(0)) port.close();
  });

  it("passes calls, errors and status events on", async () => {
    const { client } = connect();
    const states: string[] = [];
    client.onStatus(({ state }) => void states.push(state));
    expect((await client.status()).state).toBe("empty");
    await expect(client.storeKeys()).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    expect((await client.create({ password: "correct horse battery" })).words).toHaveLength(24);
    expect(states).toEqual(["unlocked"]);
  });

  it("gives the page keys that it can use and never read", async () => {
    const { client, seenByPage } = connect();
    await client.create({ password: "correct horse battery" });
    await client.changePassword({ current: "correct horse battery", next: "another horse battery" });
    expect(await client.makeDayKey({ until: 3_600_000 })).toBe(true);
    const { recordKey, indexKey, formerKeys, dayKeys } = await client.storeKeys();
    expect(dayKeys).toMatchObject([{ id: expect.any(String), until: 3_600_000 }]);
    const keys = [recordKey, indexKey, ...formerKeys, ...dayKeys.map(({ key }) => key)];
    expect(keys.map(({ extractable }) => extractable)).toEqual([false, false, false, false]);
    await expect(crypto.subtle.exportKey("raw", recordKey)).rejects.toThrow();
    const iv = new Uint8Array(12);
    const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, recordKey, new Uint8Array([1, 2, 3]));
    expect(new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, recordKey, sealed))).toEqual(new Uint8Array([1, 2, 3]));
    expect(seenByPage.flatMap((message) => bytesIn(message))).toEqual([]);
  });

  it.each([
    ["before", ["status", "storeKeys"]],
    ["after", ["storeKeys", "status"]],
    ["twice", ["storeKeys", "storeKeys"]],
    ["around", ["status", "storeKeys", "keychain", "storeKeys", "lockWallet"]],
  ])("gives no raw key to a page that asks for something else under the same id (%s)", async (_, methods) => {
    const { client, seenByPage, post } = connect();
    await client.create({ password: "correct horse battery" });
    for (let round = 0; round < 20; round += 1) for (const method of methods) post({ id: 500, method, input: undefined });
    await client.status();
    await client.storeKeys();
    expect(seenByPage.flatMap((message) => bytesIn(message))).toEqual([]);
    expect(seenByPage).toContainEqual({ id: 500, error: expect.objectContaining({ code: "BAD_REQUEST" }) });
  });

  it.each([
    ["store keys for another request", "status", { name: "00", recordKey: new Uint8Array(32), indexKey: new Uint8Array(32) }],
    ["store keys deeper in the answer", "open", [{ plaintext: { recordKey: new Uint8Array(32), indexKey: new Uint8Array(32) } }]],
    ["store keys in another form", "storeKeys", { name: "00", recordKey: new ArrayBuffer(32), indexKey: new ArrayBuffer(32) }],
    [
      "a key as the name",
      "storeKeys",
      { name: new Uint8Array(32), recordKey: new Uint8Array(32), indexKey: new Uint8Array(32), formerKeys: [] },
    ],
    ["former keys alone", "open", { formerKeys: [new Uint8Array(32)] }],
    [
      "former keys in another form",
      "storeKeys",
      { name: "00", recordKey: new Uint8Array(32), indexKey: new Uint8Array(32), formerKeys: [new ArrayBuffer(32)] },
    ],
    ["day keys alone", "open", { dayKeys: [{ id: "00", until: 1, key: new Uint8Array(32) }] }],
    [
      "day keys in another form",
      "storeKeys",
      { name: "00", recordKey: new Uint8Array(32), indexKey: new Uint8Array(32), formerKeys: [], dayKeys: [new Uint8Array(32)] },
    ],
    [
      "a key as the name of a day key",
      "storeKeys",
      {
        ...{ name: "00", recordKey: new Uint8Array(32), indexKey: new Uint8Array(32), formerKeys: [] },
        dayKeys: [{ id: new Uint8Array(32), until: 1, key: new Uint8Array(32) }],
      },
    ],
    [
      "store keys without day keys",
      "storeKeys",
      { name: "00", recordKey: new Uint8Array(32), indexKey: new Uint8Array(32), formerKeys: [] },
    ],
    ["bytes where none belong", "signedPrekey", { secret: new Uint8Array(32) }],
  ])("judges an answer by what it holds: %s", async (_, method, value) => {
    const toPage: unknown[] = [];
    const answered = Promise.withResolvers<void>();
    let ask: (message: unknown) => void = () => undefined;
    let answer: (message: unknown) => void = () => undefined;
    const setAsk: BridgePort["onMessage"] = (listener) => {
      ask = listener;
    };
    const setAnswer: BridgePort["onMessage"] = (listener) => {
      answer = listener;
    };
    const record = (message: unknown): void => {
      toPage.push(message);
      answered.resolve();
    };
    bridgeKeyring({ postMessage: record, onMessage: setAsk }, { postMessage: () => undefined, onMessage: setAnswer }, importStoreKey);
    ask({ id: 1, method });
    answer({ id: 1, value });
    answer({ id: 2, value });
    await answered.promise;
    expect(toPage).toHaveLength(1);
    expect(toPage.flatMap((message) => bytesIn(message))).toEqual([]);
  });

  it("answers a page that floods it, and keeps no more than its bound", async () => {
    const { client, seenByPage, post } = connect();
    for (let id = 10_000; id < 13_000; id += 1) post({ id, method: "backupKey", input: {} });
    await client.status().catch(() => undefined);
    expect(seenByPage.length).toBeGreaterThan(1_000);
    expect((await client.status()).state).toBe("empty");
  });
});

/** Byte arrays anywhere in a message. */
function bytesIn(value: unknown): readonly Uint8Array[] {
  if (value instanceof ArrayBuffer) return [new Uint8Array(value)];
  if (value instanceof Uint8Array) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(bytesIn) : [];
}
