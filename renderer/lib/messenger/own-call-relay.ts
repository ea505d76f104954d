// The relay of calls that the person named: stored encrypted with the key of the message store, readable only while the keyring is open. It
// stays on this device.
import { create } from "zustand";
import { createSealedItem, type ItemStorage, type SealedItem } from "#renderer/lib/browser/sealed/sealed-item.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { SealedStore } from "../keyring/use-while-open.ts";

/** Longest address, name and password, characters. */
export const MAX_RELAY_CHARS = 512;

/** How a relay is reached. */
export interface OwnCallRelay {
  /** As the person typed it: `turn.example.org`, with a port or without, or an address of TURN. */
  readonly address: string;
  readonly username: string;
  readonly password: string;
}

interface OwnCallRelayStore {
  /** Undefined while it is closed. */
  readonly item: SealedItem | undefined;
  readonly relay: OwnCallRelay | null;
}

export const useOwnCallRelay = create<OwnCallRelayStore>()(() => ({ item: undefined, relay: null }));

/** Reads it of an opened keyring. One that cannot be read is set aside, never overwritten. */
async function open(keys: StoreKeys<CryptoKey>, storage: ItemStorage): Promise<void> {
  const item = createSealedItem(keys, storage, "calls");
  const stored = await item.readOrSetAside();
  useOwnCallRelay.setState({ relay: isRelay(stored) ? stored : null, item });
}

/** It as `useWhileOpen` keeps it. */
export const sealedCallRelay: SealedStore = {
  open,
  close: () => useOwnCallRelay.setState({ item: undefined, relay: null }),
  storageKey: () => useOwnCallRelay.getState().item?.storageKey,
};

/** Names another relay, or none; resolves when that is stored. Does nothing while it is closed. */
export async function nameCallRelay(relay: OwnCallRelay | null): Promise<void> {
  const { item } = useOwnCallRelay.getState();
  if (item === undefined) return;
  useOwnCallRelay.setState({ relay });
  await item.write(relay);
}

const PORTS = { turn: 3_478, turns: 5_349 } as const;
const ADDRESS = /^(?:(turns?):)?(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?(?:\?transport=(udp|tcp))?$/i;

/** Addresses as WebRTC takes them, over UDP and TCP where the text names neither; undefined for what is no address of a relay. */
export function relayUrls(text: string): readonly string[] | undefined {
  const [, scheme = "turn", host = "", digits, transport] = ADDRESS.exec(text.trim()) ?? [];
  const kind = scheme.toLowerCase() === "turns" ? "turns" : "turn";
  const port = Number(digits ?? PORTS[kind]);
  if (host === "" || port < 1 || port > 65_535 || text.length > MAX_RELAY_CHARS) return undefined;
  const transports = transport === undefined ? (kind === "turns" ? ["tcp"] : ["udp", "tcp"]) : [transport.toLowerCase()];
  return transports.map((name) => `${kind}:${host}:${port}?transport=${name}`);
}

function isRelay(value: unknown): value is OwnCallRelay {
  if (typeof value !== "object" || value === null) return false;
  const { address, username, password } = value as Partial<Record<keyof OwnCallRelay, unknown>>;
  return [address, username, password].every((text) => typeof text === "string" && text.length <= MAX_RELAY_CHARS);
}
