import { beforeEach, describe, expect, it } from "vitest";
import {
  addFound,
  foundStore,
  MAX_FOUND,
  MAX_FOUND_CHAINS,
  removeFound,
  useFoundStore,
} from "#renderer/features/wallet/found/found-store.ts";
import { memoryStorage, storeKeys } from "#test/support/worlds/sealed-storage.ts";

const found = (chainId: string): unknown => useFoundStore.getState().chains[chainId];
const MULTISIG = "00112233445566aa";

describe("found deals and multisigs", () => {
  beforeEach(foundStore.close);

  it("survive closing, encrypted, for the chain on which they were found", async () => {
    const storage = memoryStorage();
    await foundStore.open(await storeKeys(1), storage);
    await addFound("one", "deals", "bike");
    await addFound("one", "deals", "lamp");
    await addFound("two", "multisigs", MULTISIG);
    await addFound("one", "deals", "bike");
    expect([...storage.stored.values()].join("")).not.toContain("bike");
    foundStore.close();
    expect(found("one")).toBeUndefined();
    await foundStore.open(await storeKeys(1), storage);
    expect(found("one")).toEqual({ deals: ["bike", "lamp"], multisigs: [] });
    expect(found("two")).toEqual({ deals: [], multisigs: [MULTISIG] });
    await removeFound("one", "deals", "bike");
    foundStore.close();
    await foundStore.open(await storeKeys(1), storage);
    expect(found("one")).toEqual({ deals: ["lamp"], multisigs: [] });
  });

  it("are bounded: the oldest of a kind go, and the chain that was used longest ago", async () => {
    await foundStore.open(await storeKeys(1), memoryStorage());
    for (let number = 0; number <= MAX_FOUND; number += 1) await addFound("one", "deals", `deal-${number}`);
    const { deals = [] } = useFoundStore.getState().chains.one ?? {};
    expect([deals.length, deals[0], deals.at(-1)]).toEqual([MAX_FOUND, `deal-${MAX_FOUND}`, "deal-1"]);
    for (let number = 1; number < MAX_FOUND_CHAINS; number += 1) await addFound(`chain ${number}`, "deals", "bike");
    await addFound("one", "deals", "lamp");
    await addFound("another", "deals", "bike");
    expect(Object.keys(useFoundStore.getState().chains)).toEqual([
      ...Array.from({ length: MAX_FOUND_CHAINS - 2 }, (_, index) => `chain ${index + 2}`),
      "one",
      "another",
    ]);
  });

  it("change nothing while the keyring is closed, and leave out what is no id", async () => {
    await addFound("one", "deals", "bike");
    expect(found("one")).toBeUndefined();
    const storage = memoryStorage();
    await foundStore.open(await storeKeys(1), storage);
    await useFoundStore.getState().item?.write({ one: { deals: ["bike", 5, "no id!"], multisigs: "none" }, two: null });
    foundStore.close();
    await foundStore.open(await storeKeys(1), storage);
    expect(found("one")).toEqual({ deals: ["bike"], multisigs: [] });
    expect(found("two")).toEqual({ deals: [], multisigs: [] });
  });
});
