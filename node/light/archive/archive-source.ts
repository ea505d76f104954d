// The chain of a full node beyond what it holds: its own state and headers, and blocks of peers that are checked against them.
import type { StateReads } from "#node/explorer/chain-reads.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Sha256 } from "#shared/protocol/primitives/hash.ts";
import type { LightSource, ProvenHistory, ProvenRecords, StateKey } from "../light-source.ts";
import { PeerResponses, type PeerResponsesDependencies } from "../peers/peer-responses.ts";
import { HistoryProofs } from "../proofs/history-proofs.ts";
import { VerifiedSource } from "../proofs/verified-source.ts";
import type { OwnHeaders } from "./own-headers.ts";

export interface ArchiveSourceDependencies extends PeerResponsesDependencies {
  readonly chain: OwnHeaders;
  readonly hash: Sha256;
  /** The committed state. */
  readonly state: Pick<StateReads, "get">;
}

/** What the queries of a light node read on a full one. */
export function createArchiveSource(dependencies: ArchiveSourceDependencies): LightSource {
  const { chain, state, hash } = dependencies;
  const peers = new VerifiedSource({ ...dependencies, chain: withTip(chain) });
  const records = (keys: readonly StateKey[]): Promise<ProvenRecords> =>
    Promise.resolve({ at: chain.tip(), values: keys.map(({ namespace, key }) => state.get(namespace, key)) });
  const histories = new HistoryProofs({ responses: new PeerResponses(dependencies), records, hash });
  return {
    tip: () => chain.tip(),
    onTip: () => () => undefined,
    blockAt: (height) => chain.blockAt(height),
    records,
    body: (height) => peers.body(height),
    transaction: (id) => peers.transaction(id),
    history: async (account, page): Promise<ProvenHistory> => {
      try {
        return await histories.page(account, page);
      } catch (error) {
        if (!isCodedError(error, "UPSTREAM_FAILED")) throw error;
        // Peers may be a block behind: their own record leads to the page as well.
        return await peers.history(account, page);
      }
    },
    readUnverified: (operation, input) => peers.readUnverified(operation, input),
    submit: () => Promise.reject(new CodedError("INVARIANT", "Old blocks take no transactions")),
  };
}

function withTip(chain: OwnHeaders): ConstructorParameters<typeof VerifiedSource>[0]["chain"] {
  return {
    tip: () => chain.tip(),
    onTip: () => () => undefined,
    blockAt: (height, offered) => chain.blockAt(height, offered),
    accept: () => chain.accept(),
  };
}
