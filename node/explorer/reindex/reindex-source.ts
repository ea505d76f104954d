// What an index is rebuilt from.
import type { ChainTables } from "#node/storage/chain/chain-database.ts";
import type { CarriedLists } from "#node/storage/explorer/explorer-writer.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import type { Height } from "#shared/protocol/chain/header.ts";

/** A chain whose index is rebuilt. */
export interface ReindexSource {
  readonly tables: Pick<ChainTables, "blocks" | "state">;
  /** For messages. */
  readonly file: string;
  readonly genesis: Genesis;
  /** State file of a chain that continues another one. */
  readonly stateFile?: string;
  /** Takes the lists that such a chain begins with. */
  take(lists: Partial<CarriedLists>): void;
}

/** For a block that is not what its header, or its transactions, say. */
export function corruptBlock({ file }: Pick<ReindexSource, "file">, height: Height, cause?: unknown): CodedError {
  return new CodedError(
    "STORAGE_CORRUPT",
    `Block ${height} of ${file} is not what its transactions give: the index stays as it was; restore the folder from a backup`,
    { cause, details: { height } },
  );
}
