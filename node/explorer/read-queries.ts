// Every query of the public interface over one chain database, so that whoever has a connection has them all.
import type { ReadQueries } from "#node/api/services.ts";
import type { ChainReader } from "#node/storage/chain-database.ts";
import { createChannelQueries } from "./channel-queries.ts";
import { ContractExplorer } from "./contract-explorer.ts";
import { createContractQueries } from "./contract-queries.ts";
import { Explorer } from "./explorer.ts";
import { createExplorerQueries } from "./explorer-queries.ts";
import { NodeExplorer } from "./node-explorer.ts";
import { createNodeQueries } from "./node-queries.ts";
import { createProofQueries } from "./proof-queries.ts";
import { createSearchQueries } from "./search.ts";

/** Queries that read the database where they are called. */
export function createReadQueries(database: ChainReader): ReadQueries {
  const [explorer, contracts, nodes] = [new Explorer(database), new ContractExplorer(database), new NodeExplorer(database)];
  return {
    explorer: createExplorerQueries(explorer),
    contracts: createContractQueries(contracts),
    nodes: createNodeQueries(nodes),
    channels: createChannelQueries(database),
    proofs: createProofQueries(database),
    search: createSearchQueries({ database, explorer, contracts, nodes }),
  };
}
