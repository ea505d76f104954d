// What a page of a node says of the state → what it adds to the copy in the database.
import type { ChainFeedPage } from "#node/storage/chain/feed/chain-feed.ts";
import {
  type FedRecord,
  FIRST_POSITION,
  formatStatePosition,
  parseStatePosition,
  WHOLE_STATE,
} from "#node/storage/chain/feed/state-feed.ts";
import type { ChangedRecord, StateAddition, StatePiece } from "#node/storage/mailbox/sharing/postgres/explorer/explorer-rows.ts";
import type { OpenExplorer } from "#node/storage/mailbox/sharing/postgres/explorer/explorer-writer.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { fromBase64, fromHex } from "#shared/util/bytes.ts";

/** Where a copy of the state is, and how far the list of contracts. */
export type CopyPlace = Pick<OpenExplorer, "position" | "lastContract">;

/** What asks a node to continue a copy. */
export function copyQuery({ position = formatStatePosition(FIRST_POSITION), lastContract }: CopyPlace): string {
  return `state=${position}${lastContract === undefined ? "" : `&contract=${lastContract}`}`;
}

/** What a page adds; undefined of a node of an earlier version. @throws CodedError UPSTREAM_FAILED for a position that leads nowhere */
export function stateOfPage({ state }: ChainFeedPage, { position: before }: CopyPlace): StateAddition | undefined {
  if (state === undefined) return undefined;
  const { changes, is_newest, records, position, contracts, has_more_contracts, version } = state;
  return {
    changes: changes?.map(changedOf),
    newest: is_newest
      ? {
          piece: before === WHOLE_STATE ? undefined : pieceOf(records, before, position),
          position,
          contracts: contracts.map(([id, name, versionText, deployedAt]) => ({ id, name, version: versionText, deployedAt })),
          hasAllContracts: !has_more_contracts,
          version,
        }
      : undefined,
  };
}

/** True for what changes something of a copy, beside the blocks. */
export function isNews({ newest }: StateAddition, { position }: CopyPlace): boolean {
  return newest !== undefined && (newest.position !== position || newest.contracts.length > 0);
}

/** True while a node has more of the state, or of the list of contracts. */
export function hasMoreState(state: StateAddition | undefined): boolean {
  return state?.newest !== undefined && (state.newest.position !== WHOLE_STATE || !state.newest.hasAllContracts);
}

function pieceOf(records: readonly FedRecord[], before: string | undefined, after: string): StatePiece {
  const from = before === undefined ? FIRST_POSITION : parseStatePosition(before);
  const to = after === WHOLE_STATE ? undefined : parseStatePosition(after);
  const isPiece = from !== undefined && (to !== undefined || after === WHOLE_STATE) && after !== before;
  if (!isPiece || !records.every(([namespace]) => namespace === from.namespace))
    throw new CodedError("UPSTREAM_FAILED", "A node gave a piece of the state that does not continue the one before");
  return {
    namespace: from.namespace,
    after: from.after,
    to: to?.namespace === from.namespace ? to.after : undefined,
    records: records.flatMap(([namespace, key, value]) =>
      value === null ? [] : [{ namespace, key: fromHex(key), value: fromBase64(value) }],
    ),
  };
}

function changedOf([namespace, key, value]: FedRecord): ChangedRecord {
  return { namespace, key: fromHex(key), value: value === null ? undefined : fromBase64(value) };
}
