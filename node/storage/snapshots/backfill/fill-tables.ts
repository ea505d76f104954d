// What filling old blocks reads and writes of chain.db: a connection of its own, beside the one that writes new blocks.
import { join } from "node:path";
import { BlockRepository } from "../../chain/block-repository.ts";
import { CHAIN_FILE, type ChainReader } from "../../chain/chain-database.ts";
import { StateRepository } from "../../chain/state-repository.ts";
import { ValidatorSetRepository } from "../../chain/validator-set-repository.ts";
import { CHAIN_DATABASE } from "../../chain-schema.ts";
import { ExplorerRepository } from "../../explorer/explorer-repository.ts";
import { closeHistory, type SealedHistory, sealedHistory } from "../../history/sealing/sealed-history.ts";
import { openSqliteDatabase, type SqliteDatabase } from "../../sqlite-database.ts";

/** Tables through one connection. */
export interface FillTables extends ChainReader {
  readonly database: SqliteDatabase;
  readonly history: SealedHistory;
}

/** Tables of an open database. */
export function fillTables(database: SqliteDatabase): FillTables {
  return {
    database,
    history: sealedHistory(database),
    blocks: new BlockRepository(database),
    validatorSets: new ValidatorSetRepository(database),
    state: new StateRepository(database),
    explorer: new ExplorerRepository(database),
  };
}

/** Opens the chain of a folder beside the node that writes it. @throws CodedError of the storage */
export function openFillTables(directory: string): FillTables & { close(): void } {
  const database = openSqliteDatabase(join(directory, CHAIN_FILE), CHAIN_DATABASE);
  const close = (): void => {
    closeHistory(database);
    database.close();
  };
  return { ...fillTables(database), close };
}
