// What execution sees of the state: one key space with namespaces. Synchronous, so that execution is a pure function of it.

/** Names of the key spaces. A key's path in the state tree is SHA-256(namespace ‖ 0x00 ‖ key). */
export type Namespace = "account" | "identity" | "device" | "devices" | "contact" | "supply" | "validators" | "params";

/** Reads state. Values are deterministic CBOR. */
export interface StateReader {
  get(namespace: Namespace, key: Uint8Array): Uint8Array | undefined;
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
