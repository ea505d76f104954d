// Addresses of others that a person watches, by chain, with one's own name for each. They stay on this device, encrypted with the key of
// the local store: whom one watches is no one else's business.
import { create } from "zustand";
import { createSealedItem, type ItemStorage, type SealedItem } from "#renderer/lib/browser/sealed/sealed-item.ts";
import type { SealedStore } from "#renderer/lib/keyring/use-while-open.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { isAcceptablePublicKey } from "#shared/protocol/primitives/signature.ts";

/** Most of a chain: each takes one of the 64 subscriptions of a connection. */
export const MAX_WATCHED = 20;
/** Most chains of which some are kept; the one that was changed longest ago goes first. */
export const MAX_WATCHED_CHAINS = 8;
export const MAX_WATCHED_NAME_CHARS = 40;

export interface Watched {
  readonly publicKey: PublicKeyHex;
  /** "" for none. */
  readonly name: string;
}

interface WatchedStore {
  /** Undefined while the keyring is closed. */
  readonly item: SealedItem | undefined;
  /** By chain id, the one that was changed last at the end. */
  readonly chains: Readonly<Record<string, readonly Watched[]>>;
}

export const useWatchedStore = create<WatchedStore>()(() => ({ item: undefined, chains: {} }));

const NONE: readonly Watched[] = [];
let saving: Promise<void> = Promise.resolve();

/** What is watched on a chain, in the order of adding. */
export function useWatched(chainId: string | undefined): readonly Watched[] {
  return useWatchedStore(({ chains }) => chains[chainId ?? ""] ?? NONE);
}

/** Adds one, or names it again; resolves when it is stored. Does nothing where there is no room, and while the keyring is closed. */
export function watch(chainId: string, { publicKey, name }: Watched): Promise<void> {
  const entry = { publicKey, name: [...name.trim()].slice(0, MAX_WATCHED_NAME_CHARS).join("") };
  return change(chainId, (list) => {
    const isKnown = list.some((known) => known.publicKey === publicKey);
    if (isKnown) return list.map((known) => (known.publicKey === publicKey ? entry : known));
    return list.length < MAX_WATCHED ? [...list, entry] : list;
  });
}

/** Takes one away; resolves when that is stored. */
export function unwatch(chainId: string, publicKey: PublicKeyHex): Promise<void> {
  return change(chainId, (list) => list.filter((known) => known.publicKey !== publicKey));
}

/** The store as `useWhileOpen` keeps it. */
export const watchedStore: SealedStore = {
  open: openWatched,
  close: () => useWatchedStore.setState({ item: undefined, chains: {} }),
  storageKey: () => useWatchedStore.getState().item?.storageKey,
};

/** Reads what is stored for an opened keyring. What cannot be read is set aside, never overwritten. */
async function openWatched(keys: StoreKeys<CryptoKey>, storage: ItemStorage): Promise<void> {
  const item = createSealedItem(keys, storage, "watched");
  useWatchedStore.setState({ chains: chainsOf(await item.readOrSetAside()), item });
}

function change(chainId: string, task: (list: readonly Watched[]) => readonly Watched[]): Promise<void> {
  const { item, chains: before } = useWatchedStore.getState();
  if (item === undefined || chainId === "") return Promise.resolve();
  const { [chainId]: list = NONE, ...others } = before;
  const kept = Object.entries(others).slice(-(MAX_WATCHED_CHAINS - 1));
  const chains = Object.fromEntries([...kept, [chainId, task(list)]]);
  useWatchedStore.setState({ chains });
  const write = saving.then(() => item.write(chains));
  // A full disk loses one change, not all that follow.
  saving = write.catch(() => undefined);
  return write;
}

/** What was stored, without anything of another shape. */
function chainsOf(stored: unknown): WatchedStore["chains"] {
  return Object.fromEntries(
    Object.entries(fieldsOf(stored)).map(([chainId, list]) => [
      chainId,
      Array.isArray(list) ? list.flatMap(watchedOf).slice(0, MAX_WATCHED) : NONE,
    ]),
  );
}

function watchedOf(value: unknown): readonly Watched[] {
  const { publicKey, name } = fieldsOf(value);
  return typeof publicKey === "string" && isAcceptablePublicKey(publicKey) && typeof name === "string" ? [{ publicKey, name }] : [];
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
