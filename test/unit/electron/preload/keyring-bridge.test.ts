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

function connect(): { client: KeyringClient<CryptoKey>; seenByPage: unknown[] } {
  const time = new ManualTime();
  const keyring = new Keyring({ storage: new MemoryVault(), random: systemRandom, clock: time, timers: time, argon2: CHEAP_ARGON2 });
  const outer = new MessageChannel();
  const inner = new MessageChannel();
  const seenByPage: unknown[] = [];
  serveKeyring(keyringPort(outer.port1), keyring, (raw) => Promise.resolve(new Uint8Array(raw)));
  bridgeKeyring(bridgePort(inner.port1), bridgePort(outer.port2), importStoreKey);
  return { client: createKeyringClient<CryptoKey>(keyringPort(inner.port2, seenByPage)), seenByPage };
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
    expect((await client.create({ password: "correct horse" })).words).toHaveLength(24);
    expect(states).toEqual(["unlocked"]);
  });

  it("gives the page keys that it can use and never read", async () => {
    const { client, seenByPage } = connect();
    await client.create({ password: "correct horse" });
    const { recordKey, indexKey } = await client.storeKeys();
    expect([recordKey.extractable, indexKey.extractable]).toEqual([false, false]);
    await expect(crypto.subtle.exportKey("raw", recordKey)).rejects.toThrow();
    const iv = new Uint8Array(12);
    const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, recordKey, new Uint8Array([1, 2, 3]));
    expect(new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, recordKey, sealed))).toEqual(new Uint8Array([1, 2, 3]));
    expect(seenByPage.flatMap((message) => bytesIn(message))).toEqual([]);
  });
});

/** Byte arrays anywhere in a message. */
function bytesIn(value: unknown): readonly Uint8Array[] {
  if (value instanceof Uint8Array) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(bytesIn) : [];
}
