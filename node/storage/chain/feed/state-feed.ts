// The state for programs that hold a copy of it: it is read piece by piece, each beside the newest blocks and what these changed, so that what was
// copied before stays what the state says.
import { NAMESPACES, type Namespace } from "#node/ledger/state-view.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import { fromHex, isHex, toBase64, toHex } from "#shared/util/bytes.ts";
import type { ChainReaderConnection } from "../chain-reader.ts";

/** Records of a piece, bytes of them beyond the first, and contracts of a page. docs/limits.md lists them. */
export const STATE_RECORDS = 2_048;
export const STATE_BYTES = 524_288;
export const FED_CONTRACTS = 512;
/**
 * Bytes of records that the blocks of a page changed. They are given as they are now, when later blocks may have made them long: beyond this
 * they are not given, and the copy begins again, so that a page is never larger than what a gateway takes.
 */
export const CHANGED_BYTES = 16 * 1_048_576;
/** The position of a copy that is whole. */
export const WHOLE_STATE = "all";
/** Bytes of the longest key that a position may name. */
const KEY_BYTES = 1_024;

/** Modules are read by calls alone, which a copy does not run. */
const COPIED: readonly Namespace[] = NAMESPACES.filter((namespace) => namespace !== "contract_code");

/** Behind a record, or before all of a namespace. Its text is `namespace`, or `namespace.key` in hex. */
export interface StatePosition {
  readonly namespace: Namespace;
  readonly after: Uint8Array | undefined;
}

/** What a program has already. */
export interface StateCopy {
  /** Undefined for a copy that is whole. */
  readonly position: StatePosition | undefined;
  /** The last contract of its list; undefined without any. */
  readonly lastContract: ContractId | undefined;
}

/** A record: its key in hex, its value in base64, null where the state has none any more. */
export type FedRecord = readonly [namespace: string, key: string, value: string | null];

/** What a page says of the state. */
export interface FedState {
  /** Records that its blocks changed, as they are after the newest block; null where that is not known any more, or too much. */
  readonly changes: readonly FedRecord[] | null;
  /** True where the page leads to the newest block: the rest is of the state after it, and empty otherwise. */
  readonly is_newest: boolean;
  /** Records behind the position that was named, all of one namespace. */
  readonly records: readonly FedRecord[];
  /** Where the copy is then. */
  readonly position: string;
  /** Contracts in the order of their deployment, behind the last one that was named. */
  readonly contracts: readonly (readonly [id: ContractId, name: string, version: string, height: Height])[];
  readonly has_more_contracts: boolean;
  /** Version of the rules of the newest block. */
  readonly version: number;
}

export const FIRST_POSITION: StatePosition = { namespace: COPIED[0] ?? "account", after: undefined };

/** Text of a position. */
export function formatStatePosition({ namespace, after }: StatePosition): string {
  return after === undefined ? namespace : `${namespace}.${toHex(after)}`;
}

/** The position of a text; undefined when it is none. */
export function parseStatePosition(text: string): StatePosition | undefined {
  const [name = "", key] = text.split(".", 2);
  const namespace = COPIED.find((each) => each === name);
  if (namespace === undefined) return undefined;
  if (key === undefined) return { namespace, after: undefined };
  return key.length <= 2 * KEY_BYTES && isHex(key, key.length / 2) ? { namespace, after: fromHex(key) } : undefined;
}

/** Collects what blocks changed. */
export class FedChanges {
  readonly #chain: ChainReaderConnection;
  readonly #records = new Map<string, FedRecord>();
  #isKnown = true;
  #bytes = 0;

  constructor(chain: ChainReaderConnection) {
    this.#chain = chain;
  }

  /** Null where one of the blocks is so old that what it changed is forgotten, and where it is too much. */
  get all(): readonly FedRecord[] | null {
    return this.#isKnown ? [...this.#records.values()] : null;
  }

  /** Adds a block; gives the bytes of what is new. */
  add(height: Height): number {
    const changes = this.#isKnown ? this.#chain.undo.changesBack(height) : undefined;
    this.#isKnown &&= changes !== undefined;
    let bytes = 0;
    for (const { namespace, key } of changes ?? []) {
      const name = `${namespace} ${toHex(key)}`;
      if (namespace === "contract_code" || this.#records.has(name)) continue;
      const value = this.#chain.state.get(namespace, key);
      bytes += key.length + (value?.length ?? 0);
      if (this.#bytes + bytes > CHANGED_BYTES) return this.#forget();
      this.#records.set(name, recordOf(namespace, key, value));
    }
    this.#bytes += bytes;
    return bytes;
  }

  #forget(): number {
    this.#isKnown = false;
    this.#records.clear();
    return 0;
  }
}

/** The next piece of the state, and contracts that are not listed yet. */
export function readState(
  { state, explorer, blocks }: ChainReaderConnection,
  { position, lastContract }: StateCopy,
): Omit<FedState, "changes" | "is_newest"> {
  const contracts = explorer.contracts.list(FED_CONTRACTS + 1, lastContract);
  const records: FedRecord[] = [];
  let next = position;
  for (let bytes = 0; position !== undefined && next?.namespace === position.namespace; ) {
    const entry = state.next(position.namespace, new Uint8Array(0), next.after);
    if (entry === undefined) next = positionAfter(position.namespace);
    else {
      records.push(recordOf(position.namespace, entry.key, entry.value));
      next = { namespace: position.namespace, after: entry.key };
      bytes += entry.key.length + entry.value.length;
      if (records.length >= STATE_RECORDS || bytes >= STATE_BYTES) break;
    }
  }
  return {
    records,
    position: next === undefined ? WHOLE_STATE : formatStatePosition(next),
    contracts: contracts.slice(0, FED_CONTRACTS).map(({ id, name, version, deployedAt }) => [id, name, version, deployedAt]),
    has_more_contracts: contracts.length > FED_CONTRACTS,
    version: blocks.header(blocks.tipHeight() ?? 0)?.version ?? 0,
  };
}

function positionAfter(namespace: Namespace): StatePosition | undefined {
  const next = COPIED[COPIED.indexOf(namespace) + 1];
  return next && { namespace: next, after: undefined };
}

function recordOf(namespace: Namespace, key: Uint8Array, value: Uint8Array | undefined): FedRecord {
  return [namespace, toHex(key), value === undefined ? null : toBase64(value)];
}
