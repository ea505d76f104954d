// Queries of nodes: registered relays, and what counts for the reputation of one. Read-only and synchronous.
import { decodeRelay, type NodeCounters, type Relay, readNodeCounters, readRelay, readWallet } from "#node/ledger/records/node-records.ts";
import { readProposed, readProposedSince } from "#node/ledger/records/proposed-records.ts";
import { readAccount, readValidators } from "#node/ledger/records/records.ts";
import { type ReputationRank, reputationRank, reputationScore } from "#node/ledger/records/reputation.ts";
import type { ListPage } from "#node/queries/read-queries.ts";
import type { ProposerWindow } from "#node/storage/explorer/explorer-repository.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { PROPOSED_VERSION } from "#shared/protocol/primitives/limits.ts";
import { fromHex } from "#shared/util/bytes.ts";
import type { ChainReads } from "./chain-reads.ts";
import { type ValidatorStatus, validatorStatus } from "./validator-status.ts";

/** A relay with the time of its last sign of life. */
export interface RegisteredRelay extends Relay {
  /** Unix seconds; 0 before the first. */
  readonly lastHeartbeatAt: number;
}

/** Blocks that a node proposed from a height on. */
export interface CountedBlocks {
  readonly blocks: number;
  readonly since: Height;
}

/** All about a node. A key that never was one has zeros. */
export interface NodeStats extends NodeCounters {
  readonly balanceUt: AmountUt;
  /** The wallet that gets its earnings; undefined when it is none but the node's own key. */
  readonly wallet: { readonly publicKey: PublicKeyHex; readonly balanceUt: AmountUt } | undefined;
  /** Of the whole chain, as far as this node knows it: exact where the state counted all of them. */
  readonly blocksProduced: number;
  /** The same as the state counts it; undefined before version 4 of the rules. */
  readonly counted: CountedBlocks | undefined;
  readonly score: number;
  readonly rank: ReputationRank;
  /** What it proposed among the newest blocks. */
  readonly recent: ProposerWindow;
  /** Undefined when it never was a validator. */
  readonly validator: ValidatorStatus | undefined;
}

/** The nodes of a chain database. */
export class NodeExplorer {
  readonly #database: ChainReads;

  constructor(database: ChainReads) {
    this.#database = database;
  }

  /** In the order of their keys. */
  relays({ limit, after }: ListPage): readonly RegisteredRelay[] {
    const { state } = this.#database;
    const relays: RegisteredRelay[] = [];
    let last = after === undefined ? undefined : fromHex(after);
    while (relays.length < limit) {
      const entry = state.next("relay", new Uint8Array(0), last);
      if (entry === undefined) break;
      const relay = decodeRelay(entry.key, entry.value);
      relays.push({ ...relay, lastHeartbeatAt: readNodeCounters(state, relay.publicKey).lastHeartbeatAt });
      last = entry.key;
    }
    return relays;
  }

  /** The relay of a key, or undefined when it registered none. */
  relay(publicKey: PublicKeyHex): RegisteredRelay | undefined {
    const { state } = this.#database;
    const relay = readRelay(state, publicKey);
    return relay === undefined ? undefined : { ...relay, lastHeartbeatAt: readNodeCounters(state, publicKey).lastHeartbeatAt };
  }

  nodeStats(publicKey: PublicKeyHex, windowBlocks: number): NodeStats {
    const { state, explorer } = this.#database;
    const counters = readNodeCounters(state, publicKey);
    const counted = countedBlocks(this.#database, publicKey);
    const blocksProduced = allBlocks(counted, explorer.blocksProposedBy(publicKey));
    const score = reputationScore({ ...counters, blocksProduced });
    const walletPub = readWallet(state, publicKey);
    const isValidator = readValidators(state).some((validator) => validator.publicKey === publicKey);
    return {
      ...counters,
      balanceUt: readAccount(state, publicKey).balanceUt,
      wallet: walletPub === publicKey ? undefined : { publicKey: walletPub, balanceUt: readAccount(state, walletPub).balanceUt },
      blocksProduced,
      counted,
      score,
      rank: reputationRank(score, isValidator),
      recent: explorer.proposerWindow(publicKey, windowBlocks),
      validator: validatorStatus(this.#database, publicKey, windowBlocks),
    };
  }
}

/** Nothing is asked of the state before it counts: nodes of earlier versions do not know such records. */
function countedBlocks({ state, blocks }: ChainReads, publicKey: PublicKeyHex): CountedBlocks | undefined {
  const { version = 0 } = blocks.header(blocks.tipHeight() ?? 0) ?? {};
  if (version < PROPOSED_VERSION) return undefined;
  const counted = { blocks: readProposed(state, publicKey), since: readProposedSince(state) };
  return counted.since === undefined ? undefined : { ...counted, since: counted.since };
}

/** Of all blocks: the index knows those before the state counted, as far as it has them. */
function allBlocks(counted: CountedBlocks | undefined, indexed: number): number {
  if (counted === undefined) return indexed;
  return counted.since <= 1 ? counted.blocks : Math.max(counted.blocks, indexed);
}
