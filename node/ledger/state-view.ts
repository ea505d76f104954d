// What execution sees of the state: one key space with namespaces. Synchronous, so that execution is a pure function of it.
import { toLatin1 } from "#shared/util/bytes.ts";

/** Names of the key spaces. A key's path in the state tree is SHA-256(namespace ‖ 0x00 ‖ key). */
export const NAMESPACES = [
  "absence",
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
  "directory",
  "identity",
  "keeper",
  "node",
  "offence",
  "params",
  "proposed",
  "relay",
  "relay_claim",
  "rotation",
  "supply",
  "suspension",
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

/** Place of a record, with the one text under which views keep it. */
export interface NamedKey {
  readonly namespace: Namespace;
  /** As {@link recordNameOf} makes it. */
  readonly name: string;
  /** Made when it is asked for, by some. */
  readonly key: Uint8Array;
}

/** Name of a record: its namespace and the bytes of its key. */
export function recordNameOf(namespace: Namespace, key: Uint8Array): string {
  return `${namespace}\0${toLatin1(key)}`;
}

/** How records of one namespace are written, for views that keep them as they are read. */
export interface RecordForm<T> {
  readonly namespace: Namespace;
  /** Key of a record. Several names may stand for one key. */
  keyOf(name: string): Uint8Array;
  decode(value: Uint8Array): T;
  encode(record: T): Uint8Array;
}

/** Reads state. Values are deterministic CBOR, but those of `contract_state` and `contract_code`, which belong to contracts. */
export interface StateReader {
  get(namespace: Namespace, key: Uint8Array): Uint8Array | undefined;
  /** The first record in byte order whose key begins with the prefix and, when `after` is given, comes after it. */
  next(namespace: Namespace, prefix: Uint8Array, after?: Uint8Array): StateEntry | undefined;
  /** {@link get} for who knows the name, where records are kept by it: a name takes longer to make than to look up. */
  getNamed?(place: NamedKey): Uint8Array | undefined;
  /** {@link get} of a record that is read again and again: the reader decodes it once. */
  getRecord?<T>(form: RecordForm<T>, name: string): T | undefined;
}

/** Reads and changes state. What was set is seen by later reads. */
export interface StateView extends StateReader {
  set(namespace: Namespace, key: Uint8Array, value: Uint8Array): void;
  delete(namespace: Namespace, key: Uint8Array): void;
  /** {@link set}, or {@link delete} without a value, for who knows the name. */
  setNamed?(place: NamedKey, value: Uint8Array | undefined): void;
  /** {@link set} of such a record, which the view encodes when its bytes are asked for. The caller never changes it again. */
  setRecord?<T>(form: RecordForm<T>, name: string, record: T): void;
}

/** One change of the state: `value` undefined deletes the key. */
export interface StateChange {
  readonly namespace: Namespace;
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** Reads a value by the name where the reader takes it. */
export function readNamed(reader: StateReader, place: NamedKey): Uint8Array | undefined {
  return reader.getNamed === undefined ? reader.get(place.namespace, place.key) : reader.getNamed(place);
}

/** Writes a value, or none, by the name where the view takes it. */
export function writeNamed(view: StateView, place: NamedKey, value: Uint8Array | undefined): void {
  if (view.setNamed !== undefined) view.setNamed(place, value);
  else if (value === undefined) view.delete(place.namespace, place.key);
  else view.set(place.namespace, place.key, value);
}

/** Reads a record, decoded once where the reader keeps it so. */
export function readRecord<T>(reader: StateReader, form: RecordForm<T>, name: string): T | undefined {
  if (reader.getRecord !== undefined) return reader.getRecord(form, name);
  const value = reader.get(form.namespace, form.keyOf(name));
  return value === undefined ? undefined : form.decode(value);
}

/** Writes a record, encoded later where the view takes it so. */
export function writeRecord<T>(view: StateView, form: RecordForm<T>, name: string, record: T): void {
  if (view.setRecord !== undefined) view.setRecord(form, name, record);
  else view.set(form.namespace, form.keyOf(name), form.encode(record));
}
