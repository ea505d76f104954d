// Queries of nodes: registered relays, and what counts for the reputation of one. Read-only and synchronous.
import { type KeeperRecord, readKeeper } from "#node/ledger/records/keeper-records.ts";
import { decodeRelay, type NodeCounters, type Relay, readNodeCounters, readRelay, readWallet } from "#node/ledger/records/node-records.ts";
import { readProposed, readProposedSince } from "#node/ledger/records/proposed-records.ts";
import { readAccount, readValidators } from "#node/ledger/records/records.ts";
import { type ReputationRank, reputationRank, reputationScore } from "#node/ledger/records/reputation.ts";
import { readSuspension, type Suspension } from "#node/ledger/records/suspension-records.ts";
import type { ListPage } from "#node/queries/read-queries.ts";
import type { ProposerWindow } from "#node/storage/explorer/explorer-repository.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { KEEPERS_VERSION, PROPOSED_VERSION, SUSPENSION_VERSION } from "#shared/protocol/primitives/limits.ts";
import { fromHex } from "#shared/util/bytes.ts";
import type { ChainReads } from "./chain-reads.ts";
import { type ValidatorStatus, validatorStatus } from "./validator-status.ts";

/** A relay with the time of its last sign of life. */
export interface RegisteredRelay extends Relay {
  /** Unix seconds; 0 before the first. */
  readonly lastHeartbeatAt: number;
  /** Its bond and where it stands; undefined without a bond, and before version 5 of the rules. */
  readonly keeper: KeeperRecord | undefined;
  /** What counts against it as a keeper; undefined without a bond, and before version 6 of the rules. */
  readonly suspension: Suspension | undefined;
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
  /** The first block that this counts; undefined where it counts all. */
  readonly producedFrom: Height | undefined;
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
      relays.push(this.#registered(decodeRelay(entry.key, entry.value)));
      last = entry.key;
    }
    return relays;
  }

  /** The relay of a key, or undefined when it registered none. */
  relay(publicKey: PublicKeyHex): RegisteredRelay | undefined {
    const relay = readRelay(this.#database.state, publicKey);
    return relay === undefined ? undefined : this.#registered(relay);
  }

  #registered(relay: Relay): RegisteredRelay {
    const { state } = this.#database;
    const { lastHeartbeatAt } = readNodeCounters(state, relay.publicKey);
    const keeper = versionOf(this.#database) < KEEPERS_VERSION ? undefined : readKeeper(state, relay.publicKey);
    if (keeper === undefined || keeper.bondUt + keeper.withdrawnUt === 0)
      return { ...relay, lastHeartbeatAt, keeper: undefined, suspension: undefined };
    const hasRule = versionOf(this.#database) >= SUSPENSION_VERSION;
    const suspension = hasRule ? readSuspension(state, relay.publicKey, secondsOf(this.#database)) : undefined;
    return { ...relay, lastHeartbeatAt, keeper, suspension };
  }

  nodeStats(publicKey: PublicKeyHex, windowBlocks: number): NodeStats {
    const { state, explorer } = this.#database;
    const counters = readNodeCounters(state, publicKey);
    const counted = countedBlocks(this.#database, publicKey);
    const { blocks: blocksProduced, from: producedFrom } = allBlocks(counted, {
      blocks: explorer.blocksProposedBy(publicKey),
      from: explorer.countedFrom(),
    });
    const score = reputationScore({ ...counters, blocksProduced });
    const walletPub = readWallet(state, publicKey);
    const isValidator = readValidators(state).some((validator) => validator.publicKey === publicKey);
    return {
      ...counters,
      balanceUt: readAccount(state, publicKey).balanceUt,
      wallet: walletPub === publicKey ? undefined : { publicKey: walletPub, balanceUt: readAccount(state, walletPub).balanceUt },
      blocksProduced,
      producedFrom: producedFrom <= 1 ? undefined : producedFrom,
      counted,
      score,
      rank: reputationRank(score, isValidator),
      recent: explorer.proposerWindow(publicKey, windowBlocks),
      validator: validatorStatus(this.#database, publicKey, windowBlocks),
    };
  }
}

/** Of the newest block. */
function versionOf({ blocks }: ChainReads): number {
  return blocks.header(blocks.tipHeight() ?? 0)?.version ?? 0;
}

/** Unix seconds of the newest block. */
function secondsOf({ blocks }: ChainReads): number {
  return Math.floor((blocks.header(blocks.tipHeight() ?? 0)?.timeMs ?? 0) / 1_000);
}

/** Nothing is asked of the state before it counts: nodes of earlier versions do not know such records. */
function countedBlocks(chain: ChainReads, publicKey: PublicKeyHex): CountedBlocks | undefined {
  if (versionOf(chain) < PROPOSED_VERSION) return undefined;
  const { state } = chain;
  const counted = { blocks: readProposed(state, publicKey), since: readProposedSince(state) };
  return counted.since === undefined ? undefined : { ...counted, since: counted.since };
}

/** Of all blocks: the index knows those before the state counted, as far as it has them. */
function allBlocks(counted: CountedBlocks | undefined, indexed: BlocksFrom): BlocksFrom {
  if (counted === undefined) return indexed;
  const proven = { blocks: counted.blocks, from: counted.since };
  if (proven.from <= 1 || proven.blocks > indexed.blocks) return proven;
  return indexed.blocks > proven.blocks || indexed.from < proven.from ? indexed : proven;
}

/** Blocks that are counted from one on. */
interface BlocksFrom {
  readonly blocks: number;
  readonly from: Height;
}
