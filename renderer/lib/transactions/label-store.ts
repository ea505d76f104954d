// Private notes on transactions. They never leave this device, and they are stored encrypted with the key of the local store, readable
// only while the keyring is open.
import { create } from "zustand";
import { createSealedItem, type ItemStorage, type SealedItem } from "#renderer/lib/browser/sealed/sealed-item.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { SealedStore } from "../keyring/use-while-open.ts";

/** Longest label, characters. */
export const MAX_LABEL_CHARS = 80;

/** Labels by transaction id. */
export type Labels = Readonly<Record<string, string>>;

interface LabelStore {
  /** Undefined while the labels are closed. */
  readonly item: SealedItem | undefined;
  readonly labels: Labels;
}

/** The labels; none while they are closed. */
export const useLabelStore = create<LabelStore>()(() => ({ item: undefined, labels: {} }));

let saving: Promise<void> = Promise.resolve();

/** Labels by transaction id. */
export function useLabels(): Labels {
  return useLabelStore(({ labels }) => labels);
}

/** Reads the labels of an opened keyring. Ones that cannot be read are set aside, never overwritten. */
export async function openLabels(keys: StoreKeys<CryptoKey>, storage: ItemStorage): Promise<void> {
  const item = createSealedItem(keys, storage, "labels");
  useLabelStore.setState({ labels: ((await item.readOrSetAside()) ?? {}) as Labels, item });
}

/** Forgets what was read: when the keyring is locked. */
export function closeLabels(): void {
  useLabelStore.setState({ item: undefined, labels: {} });
}

/** The labels as `useWhileOpen` keeps them. */
export const sealedLabels: SealedStore = {
  open: openLabels,
  close: closeLabels,
  storageKey: () => useLabelStore.getState().item?.storageKey,
};

/** Sets a label at once, an empty one removes it; resolves when it is stored. Does nothing while the labels are closed. */
export function setLabel(id: string, text: string): Promise<void> {
  const { item, labels: before } = useLabelStore.getState();
  if (item === undefined) return Promise.resolve();
  const label = [...text.trim()].slice(0, MAX_LABEL_CHARS).join("");
  const { [id]: _, ...others } = before;
  const labels = label === "" ? others : { ...others, [id]: label };
  useLabelStore.setState({ labels });
  const write = saving.then(() => item.write(labels));
  // A full disk loses one change, not all that follow.
  saving = write.catch(() => undefined);
  return write;
}

/** Takes labels over for transactions that have none here. */
export async function addLabels(labels: Labels): Promise<void> {
  const known = useLabelStore.getState().labels;
  for (const [id, label] of Object.entries(labels)) if (known[id] === undefined) await setLabel(id, label);
}
