// Private notes on transactions. They stay on this device and never reach the node.
import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { PublicKeyHex } from "#shared/protocol/address.ts";

/** Longest label, characters. */
export const MAX_LABEL_CHARS = 80;

interface LabelStore {
  /** By account, then by transaction id. */
  readonly labels: Readonly<Record<PublicKeyHex, Readonly<Record<string, string>>>>;
}

const NONE: Readonly<Record<string, string>> = {};

/** All labels of this device. */
export const useLabelStore = create<LabelStore>()(persist<LabelStore>(() => ({ labels: {} }), { name: "parley.labels", version: 1 }));

/** Labels of an account by transaction id. */
export function useLabels(account: PublicKeyHex): Readonly<Record<string, string>> {
  return useLabelStore(({ labels }) => labels[account] ?? NONE);
}

/** Sets a label; an empty one removes it. */
export function setLabel(account: PublicKeyHex, id: string, text: string): void {
  const label = [...text.trim()].slice(0, MAX_LABEL_CHARS).join("");
  useLabelStore.setState(({ labels }) => {
    const { [id]: _, ...others } = labels[account] ?? {};
    return { labels: { ...labels, [account]: label === "" ? others : { ...others, [id]: label } } };
  });
}
