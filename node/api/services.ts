// What the interface needs of the rest of the node: small interfaces that the composition root fills.
import type { BlockReward } from "#node/ledger/execute.ts";
import type { Log } from "#node/observability/log.ts";
import type { Relay } from "#node/relay/relay.ts";
import type { TypingExchange } from "#node/relay/typing-exchange.ts";
import type { HistoryRange } from "#node/storage/explorer-repository.ts";
import type { Output } from "#shared/api/api.ts";
import type {
  BlockDetail,
  BlockSummary,
  Chart,
  ChartResolution,
  DeviceRecord,
  IdentityInfo,
  NetworkStats,
  TransactionDetail,
  TransactionEntry,
  ValidatorProposal,
  ValidatorRecord,
} from "#shared/api/schemas/chain.ts";
import type { ChainTransaction, ChainTransactionDetail } from "#shared/api/schemas/chain-v2.ts";
import type { PaymentChannel } from "#shared/api/schemas/channels.ts";
import type { ContractDetail, ContractLog, ContractRecord, ContractState, Nft, Token } from "#shared/api/schemas/contracts.ts";
import type { NodeStatus, UpdateCheck, VersionInfo, WellKnownContract } from "#shared/api/schemas/discovery.ts";
import type { NodeStats, RegisteredRelay } from "#shared/api/schemas/nodes.ts";
import type { StateProof, TransactionProof } from "#shared/api/schemas/proofs.ts";
import type { ContactInfo, SentContactInfo } from "#shared/api/schemas/relay.ts";
import type { SearchResult } from "#shared/api/schemas/search.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import type { AmountUt } from "#shared/protocol/amount.ts";
import type { Block } from "#shared/protocol/block.ts";
import type { ContractId } from "#shared/protocol/contracts.ts";
import type { Genesis } from "#shared/protocol/genesis.ts";
import type { HashHex, Height } from "#shared/protocol/header.ts";
import type { Receipt } from "#shared/protocol/receipt.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import type { HeavyReads } from "./heavy-reads.ts";

/** A value now or later: queries may move to a worker. */
export type Awaitable<T> = T | Promise<T>;

/** Account and a page of its history. */
export interface AccountHistory {
  readonly balanceUt: AmountUt;
  readonly txCount: number;
  /** Newest first. */
  readonly transactions: readonly TransactionEntry[];
}

/** Reads of the explorer index and of the committed state. Keys are lower-case hex; unknown ones have empty records. */
export interface ExplorerQueries {
  netStats(): Awaitable<NetworkStats>;
  listBlocks(page: { readonly limit: number; readonly before?: Height }): Awaitable<readonly BlockSummary[]>;
  getBlock(height: Height): Awaitable<BlockDetail | undefined>;
  getBlockByHash(hash: HashHex): Awaitable<BlockDetail | undefined>;
  recentTransactions(limit: number): Awaitable<readonly TransactionEntry[]>;
  getTransaction(id: string): Awaitable<TransactionDetail | undefined>;
  accountHistory(account: PublicKeyHex, page: { readonly limit: number; readonly offset: number }): Awaitable<AccountHistory>;
  /** History between two blocks, both left out. */
  accountFeed(account: PublicKeyHex, range: HistoryRange): Awaitable<readonly ChainTransaction[]>;
  chainTransaction(id: string): Awaitable<ChainTransactionDetail | undefined>;
  identity(masterPub: PublicKeyHex): Awaitable<IdentityInfo>;
  deviceList(masterPub: PublicKeyHex): Awaitable<readonly DeviceRecord[]>;
  contactsOf(recipient: PublicKeyHex): Awaitable<readonly ContactInfo[]>;
  contactsRequestedBy(requester: PublicKeyHex): Awaitable<readonly SentContactInfo[]>;
  validators(): Awaitable<readonly ValidatorRecord[]>;
  /** Changes of the set that wait for approvals; `after` is `add:<key>` or `remove:<key>`. */
  validatorProposals(page: ListPage): Awaitable<ListOf<ValidatorProposal>>;
  /** Newest buckets, oldest first. */
  chart(series: { readonly resolution: ChartResolution; readonly limit: number }): Awaitable<Chart>;
}

/** Part of a list: what comes after an id, when one is given. */
export interface ListPage {
  readonly limit: number;
  readonly after?: string;
}

/** Items of a page; `next` continues the list, when there may be more. */
export interface ListOf<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
}

/** Reads of contracts and of what the native ones keep. Contract ids are lower-case hex. */
export interface ContractQueries {
  /** The earliest contract of every name. */
  wellKnown(): Awaitable<Readonly<Record<string, WellKnownContract>>>;
  list(page: ListPage): Awaitable<ListOf<ContractRecord>>;
  contract(id: ContractId): Awaitable<ContractDetail | undefined>;
  /** Nulls for a key without a value. */
  value(id: ContractId, key: string): Awaitable<ContractState>;
  /** Newest first. */
  logs(id: ContractId, limit: number): Awaitable<readonly ContractLog[]>;
  tokens(page: ListPage): Awaitable<ListOf<Token>>;
  token(id: string): Awaitable<Token | undefined>;
  tokenBalance(id: string, publicKey: PublicKeyHex): Awaitable<bigint>;
  nfts(page: ListPage): Awaitable<ListOf<Nft>>;
  nft(id: string): Awaitable<Nft | undefined>;
  nftsOf(owner: PublicKeyHex, page: ListPage): Awaitable<ListOf<Nft>>;
}

/** Reads of payment channels. Ids are lower-case hex. */
export interface ChannelQueries {
  /** Newest first. */
  channels(account: PublicKeyHex, page: ListPage): Awaitable<ListOf<PaymentChannel>>;
  channel(id: string): Awaitable<PaymentChannel | undefined>;
}

/** Proofs against signed blocks. Keys and ids are lower-case hex. */
export interface ProofQueries {
  account(publicKey: PublicKeyHex): Awaitable<StateProof>;
  identity(publicKey: PublicKeyHex): Awaitable<StateProof>;
  contractState(id: ContractId, key: string): Awaitable<StateProof>;
  transaction(id: string): Awaitable<TransactionProof | undefined>;
}

/** Search by a text without blanks around it. */
export interface SearchQueries {
  /** At most `limit` hits of each kind. */
  search(query: string, limit: number): Awaitable<SearchResult>;
}

/** A call that is only tried out. */
export interface SimulatedCall {
  readonly contractId: ContractId;
  readonly method: string;
  /** JSON list, "" for none. */
  readonly argsJson: string;
  readonly caller: PublicKeyHex;
  readonly amountUt: AmountUt;
  readonly gasLimit: number;
  /** Anything that would change something ends it. */
  readonly isReadOnly: boolean;
}

/** What came of it. */
export interface Simulation {
  /** Failure code, "" on success. */
  readonly code: string;
  /** Why it failed in words, the contract's own when it refused. */
  readonly reason: string;
  readonly gasUsed: number;
  readonly logs: readonly string[];
  readonly result: Uint8Array;
}

/** Calls of contracts that change nothing. */
export interface CallQueries {
  simulate(call: SimulatedCall): Awaitable<Simulation>;
}

/** Reads of nodes. A key that never was one has zeros. */
export interface NodeQueries {
  nodeStats(publicKey: PublicKeyHex, windowBlocks: number): Awaitable<NodeStats>;
  relays(page: ListPage): Awaitable<readonly RegisteredRelay[]>;
}

/** Admission of transactions. */
export interface TransactionPool {
  readonly size: number;
  /** @throws CodedError with the reason; nothing was taken in. */
  submit(raw: unknown, nowMs: number): Awaitable<Output<"submitTransaction">>;
}

/** A block that became final. */
export interface CommittedBlock {
  readonly block: Block;
  readonly hash: HashHex;
  /** Receipts of its transactions, in order. */
  readonly receipts: readonly Receipt[];
  /** What its proposer got; undefined for an empty block. */
  readonly reward: BlockReward | undefined;
}

/** What happens on the chain. */
export interface ChainEvents {
  /**
   * Calls back after each block that became final and durable; returns the way to stop that. A node that has to fetch blocks leaves those
   * out that nobody wants when they come: `isWanted` is asked then, and always true when absent.
   */
  onCommit(listener: (block: CommittedBlock) => void, isWanted?: () => boolean): () => void;
  /** Calls back when blocks that somebody wanted were left out because they were too many; absent where that cannot be. */
  onSkipped?(listener: () => void): () => void;
}

/** What the node knows about itself. */
export interface NodeFacts {
  readonly chainId: string;
  readonly genesis: Genesis;
  readonly genesisHash: string;
  /** RFC 3339. */
  readonly genesisTime: string;
  readonly isDevelopment: boolean;
  readonly mode: string;
  readonly version: VersionInfo;
  /** Monotonic time of the start, ms. */
  readonly startedAtMs: number;
  sync(): NodeStatus["sync"];
  /** Round of consensus at the height after the tip. */
  consensusRound(): number;
  peers(): Output<"getNetworkInfo">["peers"];
  /** Multiaddresses at which other nodes can dial this one. */
  p2pAddresses(): readonly string[];
  /** What a light node knows; absent on others. */
  light?(): NonNullable<NodeStatus["light"]>;
  /** Room on the disk by part. */
  storage(): NonNullable<NodeStatus["storage"]>;
}

/** Gifts on a development network. */
export interface Faucet {
  /** Submits a transfer from the faucet's account. @throws CodedError of the admission. */
  give(to: PublicKeyHex, amountUt: AmountUt): Awaitable<Output<"requestFaucet">>;
}

/** Everything that is read of a chain. */
export interface ReadQueries {
  readonly explorer: ExplorerQueries;
  readonly contracts: ContractQueries;
  readonly calls: CallQueries;
  readonly nodes: NodeQueries;
  readonly channels: ChannelQueries;
  readonly proofs: ProofQueries;
  readonly search: SearchQueries;
}

/** Everything that the interface uses. */
export interface ApiServices extends ReadQueries {
  readonly node: NodeFacts;
  readonly mempool: TransactionPool;
  readonly relay: Relay;
  /** Typing notices from and to other nodes; absent on a node alone. */
  readonly typing?: TypingExchange;
  readonly events: ChainEvents;
  /** Where heavy reads are answered; on the calling thread when absent. */
  readonly heavyReads?: HeavyReads;
  /** Absent on networks without one. */
  readonly faucet?: Faucet;
  /** Absent when no update source is configured. @throws CodedError UPSTREAM_FAILED */
  readonly checkForUpdate?: () => Awaitable<UpdateCheck>;
  /** The consensus rule for signatures; may answer later, from a worker. */
  readonly verify: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean | Promise<boolean>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log;
}
