// Which network a database belongs to: written with the first opening, compared with every later one.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { HashHex } from "#shared/protocol/chain/header.ts";
import { inImmediateTransaction, type SqliteDatabase } from "./sqlite-database.ts";

/** Which network a folder must belong to. */
export interface ChainIdentity {
  readonly chainId: string;
  readonly genesisHash: HashHex;
}

/** The database has a table `meta (name, value)`. @throws CodedError STORAGE_FOREIGN when it belongs to another network. */
export function checkNetwork(database: SqliteDatabase, { chainId, genesisHash }: ChainIdentity, directory: string): void {
  const read = database.prepare<[string], string>("SELECT value FROM meta WHERE name = ?").pluck();
  const write = database.prepare<[string, string]>("INSERT INTO meta (name, value) VALUES (?, ?)");
  inImmediateTransaction(database, () => {
    const stored = read.get("genesis_hash");
    if (stored === undefined) {
      write.run("chain_id", chainId);
      write.run("genesis_hash", genesisHash);
    } else if (stored !== genesisHash) {
      const storedChain = read.get("chain_id") ?? "";
      throw new CodedError(
        "STORAGE_FOREIGN",
        `The data folder ${directory} belongs to the network ${storedChain} (genesis ${stored.slice(0, 16)}…), not to ${chainId} (genesis ${genesisHash.slice(0, 16)}…): choose another folder with --data-dir`,
        { details: { directory, storedChain, chainId } },
      );
    }
  });
}
