import { beforeEach, describe, expect, it } from "vitest";
import { closeLabels, MAX_LABEL_CHARS, openLabels, setLabel, useLabelStore } from "#renderer/lib/transactions/label-store.ts";
import { memoryStorage, storeKeys } from "#test/support/worlds/sealed-storage.ts";

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
