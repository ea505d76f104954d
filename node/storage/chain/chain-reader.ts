// chain.db read beside the node that writes it: a connection that cannot write, and reads from one snapshot.
import { join } from "node:path";
import { CHAIN_DATABASE } from "../chain-schema.ts";
import { ExplorerRepository } from "../explorer/explorer-repository.ts";
import { closeHistory } from "../history/sealing/sealed-history.ts";
import { openSqliteReader } from "../sqlite-database.ts";
import { BlockRepository } from "./block-repository.ts";
import { CHAIN_FILE, type ChainReader } from "./chain-database.ts";
import { StateRepository } from "./state-repository.ts";
import { UndoRepository } from "./undo-repository.ts";
import { ValidatorSetRepository } from "./validator-set-repository.ts";

export interface ChainReaderConnection extends ChainReader {
  /** What the newest blocks replaced. */
  readonly undo: Pick<UndoRepository, "changesBack">;
  /** Runs reads that all see the chain as it was at the first of them, whatever is written meanwhile. Not to be nested. */
  inSnapshot<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

const CACHE_KIB = 16_384;

/** Opens the chain of a folder for reading. @throws CodedError as every database of the folder. */
export function openChainReader(directory: string): ChainReaderConnection {
  const database = openSqliteReader(join(directory, CHAIN_FILE), CHAIN_DATABASE);
  database.pragma(`cache_size = -${CACHE_KIB}`);
  const [begin, end] = ["BEGIN DEFERRED", "COMMIT"].map((sql) => database.prepare(sql));
  return {
    blocks: new BlockRepository(database),
    validatorSets: new ValidatorSetRepository(database),
    state: new StateRepository(database),
    explorer: new ExplorerRepository(database),
    undo: new UndoRepository(database),
    inSnapshot: async (work): Promise<Awaited<ReturnType<typeof work>>> => {
      begin?.run();
      try {
        return await work();
      } finally {
        end?.run();
      }
    },
    close: (): void => {
      closeHistory(database);
      database.close();
    },
  };
}
