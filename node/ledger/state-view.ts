// What execution sees of the state: one key space with namespaces. Synchronous, so that execution is a pure function of it.

/** Names of the key spaces. A key's path in the state tree is SHA-256(namespace ‖ 0x00 ‖ key). */
export const NAMESPACES = [
  "account",
  "approval",
  "channel",
  "contact",
  "contract",
  "contract_balance",
  "contract_code",
  "contract_state",
  "device",
  "devices",
  "identity",
  "node",
  "offence",
  "params",
  "relay",
  "relay_claim",
  "supply",
  "unbonding",
  "validator",
  "validators",
  "wallet",
] as const;

/** A key space. */
export type Namespace = (typeof NAMESPACES)[number];

/** A record of the state. */
export interface StateEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Reads state. Values are deterministic CBOR, but those of `contract_state` and `contract_code`, which belong to contracts. */
export interface StateReader {
  get(namespace: Namespace, key: Uint8Array): Uint8Array | undefined;
  /** The first record in byte order whose key begins with the prefix and, when `after` is given, comes after it. */
  next(namespace: Namespace, prefix: Uint8Array, after?: Uint8Array): StateEntry | undefined;
}

/** Reads and changes state. What was set is seen by later reads. */
export interface StateView extends StateReader {
  set(namespace: Namespace, key: Uint8Array, value: Uint8Array): void;
  delete(namespace: Namespace, key: Uint8Array): void;
}

/** One change of the state: `value` undefined deletes the key. */
export interface StateChange {
  readonly namespace: Namespace;
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}
