import { beforeEach, describe, expect, it } from "vitest";
import {
  closeNameCache,
  learnNames,
  MAX_STORED_NAMES,
  openNameCache,
  storeNames,
  useNameCache,
} from "#renderer/lib/people/names/name-cache.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import { storeKeys } from "#test/support/worlds/sealed-storage.ts";

describe("names stored over restarts", () => {
  let storage: Map<string, string>;
  let keys: StoreKeys<CryptoKey>;
  const location = {
    getItem: (key: string): string | null => storage.get(key) ?? null,
    setItem: (key: string, text: string): void => void storage.set(key, text),
  };

  beforeEach(async () => {
    storage = new Map();
    keys = await storeKeys(1);
    closeNameCache();
    await openNameCache(keys, location);
  });

  it("are there again for the same keyring, unreadable at rest, and gone while it is locked", async () => {
    expect(learnNames([["key", "Anna"]])).toBe(true);
    await storeNames();
    expect([...storage.values()].join()).not.toContain("Anna");
    closeNameCache();
    expect(useNameCache.getState().names.size).toBe(0);
    await openNameCache(keys, location);
    expect(useNameCache.getState().names.get("key")).toBe("Anna");
    await openNameCache(await storeKeys(2), location);
    expect(useNameCache.getState().names.size).toBe(0);
  });

  it("tell what is new, follow changes, and forget a name that was taken back", () => {
    learnNames([["key", "Anna"]]);
    expect(learnNames([["key", "Anna"]])).toBe(false);
    expect(learnNames([["key", "Annika"]])).toBe(true);
    expect(useNameCache.getState().names.get("key")).toBe("Annika");
    learnNames([["key", ""]]);
    expect(useNameCache.getState().names.has("key")).toBe(false);
  });

  it("stay within their bound, the newest stored", () => {
    learnNames(Array.from({ length: MAX_STORED_NAMES + 10 }, (_, n) => [`key ${n}`, `name ${n}`] as const));
    const { names } = useNameCache.getState();
    expect(names.size).toBe(MAX_STORED_NAMES);
    expect(names.has("key 9")).toBe(false);
    expect(names.has(`key ${MAX_STORED_NAMES + 9}`)).toBe(true);
  });
});
