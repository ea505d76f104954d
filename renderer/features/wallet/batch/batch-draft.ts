// What was typed of payments to several people. It stays when the dialog is closed, by Escape perhaps, and goes once the payments are signed
// or the keyring is locked. It is nowhere but in memory.
import { create } from "zustand";
import { useBatchStore } from "#renderer/lib/transactions/sending/batch-store.ts";
import type { FeeLevel } from "#renderer/lib/transactions/sending/fee-level.ts";

/** What has been typed. */
export interface BatchDraft {
  readonly text: string;
  readonly fee: FeeLevel;
}

const EMPTY: BatchDraft = { text: "", fee: "normal" };

export const useBatchDraft = create<BatchDraft>()(() => EMPTY);

useBatchStore.subscribe(({ isOpen, batch }) => {
  if (!isOpen || batch !== undefined) useBatchDraft.setState(EMPTY);
});
