// Deals and multisigs that a person looked up or made here, by chain. They stay on this device, encrypted with the key of the local store:
// lines of contracts lead to what one has a part in, and to nothing else.
import { create } from "zustand";
import { createSealedItem, type ItemStorage, type SealedItem } from "#renderer/lib/browser/sealed/sealed-item.ts";
import type { SealedStore } from "#renderer/lib/keyring/use-while-open.ts";
import { useChainId } from "#renderer/lib/node/known-chain.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import { isDealId } from "#shared/protocol/primitives/asset-rules.ts";
import { isContractId } from "#shared/protocol/transactions/contracts.ts";

/** Most of a kind that are kept of a chain; the oldest go first. */
export const MAX_FOUND = 50;
/** Most chains of which some are kept; the one that was used longest ago goes first. */
export const MAX_FOUND_CHAINS = 8;

export type FoundKind = "deals" | "multisigs";

/** Ids of a chain, the newest first. */
export type Found = Readonly<Record<FoundKind, readonly string[]>>;

interface FoundStore {
  /** Undefined while the keyring is closed. */
  readonly item: SealedItem | undefined;
  /** By chain id, the one that was used last at the end. */
  readonly chains: Readonly<Record<string, Found>>;
}

const NONE: readonly string[] = [];
const IS_ID: Readonly<Record<FoundKind, (id: string) => boolean>> = { deals: isDealId, multisigs: isContractId };

export const useFoundStore = create<FoundStore>()(() => ({ item: undefined, chains: {} }));

let saving: Promise<void> = Promise.resolve();

/** The list of a kind on the chain of this node, and what changes it. */
export interface FoundList {
  /** Newest first. */
  readonly ids: readonly string[];
  readonly add: (id: string) => void;
  readonly remove: (id: string) => void;
}

export function useFound(kind: FoundKind): FoundList {
  const chainId = useChainId() ?? "";
  const ids = useFoundStore(({ chains }) => chains[chainId]?.[kind] ?? NONE);
  return { ids, add: (id) => void addFound(chainId, kind, id), remove: (id) => void removeFound(chainId, kind, id) };
}

/** Puts one first; resolves when it is stored. Does nothing while the store is closed. */
export function addFound(chainId: string, kind: FoundKind, id: string): Promise<void> {
  return change(chainId, kind, (ids) => [id, ...ids.filter((known) => known !== id)].slice(0, MAX_FOUND));
}

/** Takes one away; resolves when that is stored. */
export function removeFound(chainId: string, kind: FoundKind, id: string): Promise<void> {
  return change(chainId, kind, (ids) => ids.filter((known) => known !== id));
}

/** Reads what is stored for an opened keyring. What cannot be read is set aside, never overwritten. */
async function openFound(keys: StoreKeys<CryptoKey>, storage: ItemStorage): Promise<void> {
  const item = createSealedItem(keys, storage, "found");
  useFoundStore.setState({ chains: foundOf(await item.readOrSetAside()), item });
}

/** The store as `useWhileOpen` keeps it. */
export const foundStore: SealedStore = {
  open: openFound,
  close: () => useFoundStore.setState({ item: undefined, chains: {} }),
  storageKey: () => useFoundStore.getState().item?.storageKey,
};

function change(chainId: string, kind: FoundKind, task: (ids: readonly string[]) => readonly string[]): Promise<void> {
  const { item, chains: before } = useFoundStore.getState();
  if (item === undefined || chainId === "") return Promise.resolve();
  const { [chainId]: known = { deals: NONE, multisigs: NONE }, ...others } = before;
  const kept = Object.entries(others).slice(-(MAX_FOUND_CHAINS - 1));
  const chains = Object.fromEntries([...kept, [chainId, { ...known, [kind]: task(known[kind]) }]]);
  useFoundStore.setState({ chains });
  const write = saving.then(() => item.write(chains));
  // A full disk loses one change, not all that follow.
  saving = write.catch(() => undefined);
  return write;
}

/** What was stored, without anything of another shape. */
function foundOf(stored: unknown): FoundStore["chains"] {
  const idsOf = (ids: unknown, kind: FoundKind): readonly string[] =>
    Array.isArray(ids) ? ids.filter((id) => typeof id === "string" && IS_ID[kind](id)).slice(0, MAX_FOUND) : NONE;
  return Object.fromEntries(
    Object.entries(fieldsOf(stored)).map(([chainId, found]) => {
      const { deals, multisigs } = fieldsOf(found);
      return [chainId, { deals: idsOf(deals, "deals"), multisigs: idsOf(multisigs, "multisigs") }];
    }),
  );
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
