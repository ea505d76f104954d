// Every query of the public interface over one chain database, so that whoever has a connection has them all.
import type { ReadQueries } from "#node/api/services.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { ChainReader } from "#node/storage/chain-database.ts";
import { createContractVm } from "#node/vm/contract-vm.ts";
import type { Clock } from "#shared/util/clock.ts";
import { createCallQueries } from "./call-queries.ts";
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
export function createReadQueries(database: ChainReader, clock: Clock): ReadQueries {
  const vm = createContractVm({ sha256: nativeSha256, verify: createNativeVerifier() });
  const [explorer, contracts, nodes] = [new Explorer(database), new ContractExplorer(database), new NodeExplorer(database)];
  return {
    explorer: createExplorerQueries(explorer),
    contracts: createContractQueries(contracts),
    calls: createCallQueries(database, { vm, clock }),
    nodes: createNodeQueries(nodes),
    channels: createChannelQueries(database),
    proofs: createProofQueries(database),
    search: createSearchQueries({ database, explorer, contracts, nodes }),
  };
}
