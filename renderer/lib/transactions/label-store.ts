// Private notes on transactions. They never leave this device, and they are stored encrypted with the key of the local store, readable
// only while the keyring is open.
import { create } from "zustand";
import { createRecordCipher, type RecordCipher } from "#renderer/messenger/store/record-cipher.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";

/** Longest label, characters. */
export const MAX_LABEL_CHARS = 80;

/** Labels by transaction id. */
export type Labels = Readonly<Record<string, string>>;

/** Where the labels are stored. */
export interface LabelsLocation {
  readonly storage: Pick<Storage, "getItem" | "setItem">;
  readonly storageKey: string;
  readonly cipher: RecordCipher;
}

interface LabelStore {
  /** Undefined while the labels are closed. */
  readonly location: LabelsLocation | undefined;
  readonly labels: Labels;
}

const RECORD = "transaction labels";

/** The labels; none while they are closed. */
export const useLabelStore = create<LabelStore>()(() => ({ location: undefined, labels: {} }));

let saving: Promise<void> = Promise.resolve();

/** Labels by transaction id. */
export function useLabels(): Labels {
  return useLabelStore(({ labels }) => labels);
}

/** Reads the labels of an opened keyring. Ones that cannot be read are set aside, never overwritten. */
export async function openLabels(keys: StoreKeys<CryptoKey>, storage: LabelsLocation["storage"]): Promise<void> {
  const location = { storage, storageKey: `parley.labels.${keys.name}`, cipher: createRecordCipher(keys) };
  const stored = storage.getItem(location.storageKey);
  const labels = stored === null ? {} : await location.cipher.open(RECORD, bytesOf(stored));
  if (labels === undefined && stored !== null) storage.setItem(`${location.storageKey}.damaged`, stored);
  useLabelStore.setState({ location, labels: (labels ?? {}) as Labels });
}

/** Forgets what was read: when the keyring is locked. */
export function closeLabels(): void {
  useLabelStore.setState({ location: undefined, labels: {} });
}

/** Sets a label at once, an empty one removes it; resolves when it is stored. Does nothing while the labels are closed. */
export function setLabel(id: string, text: string): Promise<void> {
  const { location, labels: before } = useLabelStore.getState();
  if (location === undefined) return Promise.resolve();
  const label = [...text.trim()].slice(0, MAX_LABEL_CHARS).join("");
  const { [id]: _, ...others } = before;
  const labels = label === "" ? others : { ...others, [id]: label };
  useLabelStore.setState({ labels });
  saving = saving.then(async () => location.storage.setItem(location.storageKey, toBase64(await location.cipher.seal(RECORD, labels))));
  return saving;
}

/** Takes labels over for transactions that have none here. */
export async function addLabels(labels: Labels): Promise<void> {
  const known = useLabelStore.getState().labels;
  for (const [id, label] of Object.entries(labels)) if (known[id] === undefined) await setLabel(id, label);
}

function bytesOf(text: string): Uint8Array {
  try {
    return fromBase64(text);
  } catch {
    return new Uint8Array();
  }
}
