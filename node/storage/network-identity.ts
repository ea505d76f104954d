// Which network a database belongs to: written with the first opening, compared with every later one.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { HashHex } from "#shared/protocol/chain/header.ts";
import { HEADER_VERSION } from "#shared/protocol/primitives/limits.ts";
import { inImmediateTransaction, type SqliteDatabase } from "./sqlite-database.ts";

/** Which network a folder must belong to. */
export interface ChainIdentity {
  readonly chainId: string;
  readonly genesisHash: HashHex;
}

/** Which headers the chain is made of; databases of the first version have no such entry. */
const VERSION_NAME = "header_version";
const FIRST_VERSION = 1;

/** The database has a table `meta (name, value)`. @throws CodedError STORAGE_FOREIGN when it belongs to another network or holds blocks of another version. */
export function checkNetwork(database: SqliteDatabase, { chainId, genesisHash }: ChainIdentity, directory: string): void {
  const read = database.prepare<[string], string>("SELECT value FROM meta WHERE name = ?").pluck();
  const write = database.prepare<[string, string]>("INSERT INTO meta (name, value) VALUES (?, ?)");
  inImmediateTransaction(database, () => {
    const stored = read.get("genesis_hash");
    if (stored === undefined) {
      write.run("chain_id", chainId);
      write.run("genesis_hash", genesisHash);
      write.run(VERSION_NAME, String(HEADER_VERSION));
    } else if (stored !== genesisHash) {
      const storedChain = read.get("chain_id") ?? "";
      throw new CodedError(
        "STORAGE_FOREIGN",
        `The data folder ${directory} belongs to the network ${storedChain} (genesis ${stored.slice(0, 16)}…), not to ${chainId} (genesis ${genesisHash.slice(0, 16)}…): choose another folder with --data-dir`,
        { details: { directory, storedChain, chainId } },
      );
    }
    const version = Number(read.get(VERSION_NAME) ?? FIRST_VERSION);
    if (version !== HEADER_VERSION) throw otherVersion(directory, version);
  });
}

function otherVersion(directory: string, version: number): CodedError {
  const remedy =
    version > HEADER_VERSION
      ? "run the newer program"
      : "it is another network now; choose another folder with --data-dir, or run the older program";
  return new CodedError(
    "STORAGE_FOREIGN",
    `The data folder ${directory} holds a chain with headers of version ${version}, and this program makes and checks version ${HEADER_VERSION}: ${remedy}. Nothing in the folder was changed`,
    { details: { directory, version, headerVersion: HEADER_VERSION } },
  );
}
