import { beforeEach, describe, expect, it } from "vitest";
import { closeLabels, MAX_LABEL_CHARS, openLabels, setLabel, useLabelStore } from "#renderer/lib/transactions/label-store.ts";
import { importStoreKey } from "#renderer/workers/store-key.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";

function memoryStorage(): Pick<Storage, "getItem" | "setItem"> & { readonly stored: Map<string, string> } {
  const stored = new Map<string, string>();
  return { stored, getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => void stored.set(key, value) };
}

async function storeKeys(fill: number): Promise<StoreKeys<CryptoKey>> {
  const raw = (): Uint8Array => new Uint8Array(32).fill(fill);
  return { name: "store", recordKey: await importStoreKey(raw(), "encrypt"), indexKey: await importStoreKey(raw(), "authenticate") };
}

const labels = (): unknown => useLabelStore.getState().labels;

describe("labels of transactions", () => {
  beforeEach(closeLabels);

  it("survive closing, encrypted", async () => {
    const storage = memoryStorage();
    await openLabels(await storeKeys(1), storage);
    await setLabel("tx1", "  Rent May ");
    expect([...storage.stored.values()].join("")).not.toContain("Rent");
    closeLabels();
    expect(labels()).toEqual({});
    await openLabels(await storeKeys(1), storage);
    expect(labels()).toEqual({ tx1: "Rent May" });
  });

  it("go when they are emptied, and are cut at their longest", async () => {
    await openLabels(await storeKeys(1), memoryStorage());
    await setLabel("a", "one");
    await setLabel("b", "🙂".repeat(MAX_LABEL_CHARS + 1));
    await setLabel("a", "   ");
    expect(labels()).toEqual({ b: "🙂".repeat(MAX_LABEL_CHARS) });
  });

  it("set aside what another key wrote, instead of overwriting it", async () => {
    const storage = memoryStorage();
    await openLabels(await storeKeys(1), storage);
    await setLabel("tx1", "Rent");
    const written = [...storage.stored.values()][0];
    await openLabels(await storeKeys(2), storage);
    expect(labels()).toEqual({});
    expect([...storage.stored].find(([key]) => key.endsWith(".damaged"))?.[1]).toBe(written);
  });

  it("change nothing while they are closed", async () => {
    await setLabel("tx1", "lost");
    expect(labels()).toEqual({});
  });
});
