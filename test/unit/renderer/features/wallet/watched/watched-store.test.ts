import { beforeEach, describe, expect, it } from "vitest";
import {
  MAX_WATCHED,
  MAX_WATCHED_CHAINS,
  MAX_WATCHED_NAME_CHARS,
  unwatch,
  useWatchedStore,
  watch,
  watchedStore,
} from "#renderer/features/wallet/watched/watched-store.ts";
import { actor, alice, bob } from "#test/support/worlds/ledger-world.ts";
import { memoryStorage, storeKeys } from "#test/support/worlds/sealed-storage.ts";

const list = (chainId: string): unknown => useWatchedStore.getState().chains[chainId];

describe("watched addresses", () => {
  beforeEach(watchedStore.close);

  it("survive closing, encrypted, by chain, with their names", async () => {
    const storage = memoryStorage();
    await watchedStore.open(await storeKeys(1), storage);
    await watch("one", { publicKey: alice.pub, name: " Savings " });
    await watch("one", { publicKey: bob.pub, name: "" });
    await watch("two", { publicKey: bob.pub, name: "Shop" });
    await watch("one", { publicKey: alice.pub, name: "x".repeat(MAX_WATCHED_NAME_CHARS + 5) });
    expect([...storage.stored.values()].join("")).not.toContain(alice.pub);
    watchedStore.close();
    expect(list("one")).toBeUndefined();
    await watchedStore.open(await storeKeys(1), storage);
    expect(list("one")).toEqual([
      { publicKey: alice.pub, name: "x".repeat(MAX_WATCHED_NAME_CHARS) },
      { publicKey: bob.pub, name: "" },
    ]);
    await unwatch("one", alice.pub);
    watchedStore.close();
    await watchedStore.open(await storeKeys(1), storage);
    expect([list("one"), list("two")]).toEqual([[{ publicKey: bob.pub, name: "" }], [{ publicKey: bob.pub, name: "Shop" }]]);
  });

  it("are bounded: no more than there is room for, and the chain that was changed longest ago goes", async () => {
    await watchedStore.open(await storeKeys(1), memoryStorage());
    for (let n = 0; n <= MAX_WATCHED; n += 1) await watch("one", { publicKey: actor(20 + n).pub, name: String(n) });
    expect(list("one")).toHaveLength(MAX_WATCHED);
    expect(JSON.stringify(list("one"))).not.toContain(actor(20 + MAX_WATCHED).pub);
    for (let n = 0; n < MAX_WATCHED_CHAINS; n += 1) await watch(`chain ${n}`, { publicKey: alice.pub, name: "" });
    expect(list("one")).toBeUndefined();
    expect(Object.keys(useWatchedStore.getState().chains)).toHaveLength(MAX_WATCHED_CHAINS);
  });

  it("change nothing while the keyring is closed, and leave out what is no address", async () => {
    await watch("one", { publicKey: alice.pub, name: "" });
    expect(list("one")).toBeUndefined();
    const storage = memoryStorage();
    await watchedStore.open(await storeKeys(1), storage);
    await useWatchedStore
      .getState()
      .item?.write({ one: [{ publicKey: "00", name: "" }, null, { publicKey: alice.pub, name: "A" }], two: 5 });
    watchedStore.close();
    await watchedStore.open(await storeKeys(1), storage);
    expect([list("one"), list("two")]).toEqual([[{ publicKey: alice.pub, name: "A" }], []]);
  });
});
