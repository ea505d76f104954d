// Every query of the public interface over one chain database, so that a connection is all they need.
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import type { ContractVm } from "#node/ledger/contracts/contract-vm.ts";
import type { ReadQueries } from "#node/queries/read-queries.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { ChainReader } from "#node/storage/chain/chain-database.ts";
import { createContractVm, type VmOptions } from "#node/vm/contract-vm.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { ChainReads } from "../chain-reads.ts";
import { ContractExplorer } from "../contract-explorer.ts";
import { Explorer } from "../explorer.ts";
import { NodeExplorer } from "../node-explorer.ts";
import { callChainOf, createCallQueries } from "./call-queries.ts";
import { createChannelQueries } from "./channel-queries.ts";
import { createContractQueries } from "./contract-queries.ts";
import { createExplorerQueries } from "./explorer-queries.ts";
import { createNodeQueries } from "./node-queries.ts";
import { createProofQueries } from "./proof-queries.ts";
import { createSearchQueries } from "./search.ts";

/** Notices what the engine fails at. */
type VmWatch = Pick<VmOptions, "marks" | "onFault">;

/** Queries that read the database where they are called. */
export function createReadQueries(database: ChainReader, clock: Clock, watch: VmWatch = {}): ReadQueries {
  const calls = createCallQueries(callChainOf(database), { vm: createTrialVm(watch), clock });
  return { ...createChainQueries(database), calls, proofs: createProofQueries(database) };
}

/** Everything but proofs, which need the pages of the state tree, and calls, which run contracts. */
export function createChainQueries(chain: ChainReads): Omit<ReadQueries, "proofs" | "calls"> {
  const [explorer, contracts, nodes] = [new Explorer(chain), new ContractExplorer(chain), new NodeExplorer(chain)];
  return {
    explorer: createExplorerQueries(explorer),
    contracts: createContractQueries(contracts),
    nodes: createNodeQueries(nodes),
    channels: createChannelQueries(chain),
    search: createSearchQueries({ database: chain, explorer, contracts, nodes }),
  };
}

/** Runs modules for requests. */
export function createTrialVm({ marks, onFault }: VmWatch = {}): ContractVm {
  const watch = { ...(marks === undefined ? {} : { marks }), ...(onFault === undefined ? {} : { onFault }) };
  return createContractVm({ sha256: nativeSha256, verify: createNativeVerifier(), ...watch });
}
