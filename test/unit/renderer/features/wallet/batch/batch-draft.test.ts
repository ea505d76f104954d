// What was typed of payments to several people: until they are signed, or the keyring is locked.
import { afterEach, describe, expect, it } from "vitest";
import { useBatchDraft } from "#renderer/features/wallet/batch/batch-draft.ts";
import { useBatchStore } from "#renderer/lib/transactions/sending/batch-store.ts";

afterEach(() => useBatchStore.setState({ isOpen: false, batch: undefined }));

describe("the draft of a batch", () => {
  it.each([
    ["the keyring is locked", { isOpen: false }],
    ["the payments are signed", { batch: { chainId: "c", rows: [] } }],
  ])("goes when %s, and not before", (_when, change) => {
    useBatchStore.setState({ isOpen: true, batch: undefined });
    useBatchDraft.setState({ text: "@anna; 1", fee: "high" });
    useBatchStore.setState({ error: undefined });
    expect(useBatchDraft.getState()).toEqual({ text: "@anna; 1", fee: "high" });
    useBatchStore.setState(change);
    expect(useBatchDraft.getState()).toEqual({ text: "", fee: "normal" });
  });
});
