// What can be read of a chain: interfaces that a full node answers from its database and a light node from proven parts.
import type { NestedCall } from "#node/ledger/contracts/contract.ts";
import type {
  AbsentValidator,
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
import type { ContractDetail, ContractLog, ContractRecord, ContractState, HeldToken, Nft, Token } from "#shared/api/schemas/contracts.ts";
import type { WellKnownContract } from "#shared/api/schemas/discovery.ts";
import type { NodeStats, RegisteredRelay } from "#shared/api/schemas/nodes.ts";
import type { NetworkParameters } from "#shared/api/schemas/params.ts";
import type { ProvenBlock, StateProof, TransactionProof } from "#shared/api/schemas/proofs.ts";
import type { ContactInfo, SentContactInfo } from "#shared/api/schemas/relay.ts";
import type { SearchResult } from "#shared/api/schemas/search.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { NetworkParams } from "#shared/protocol/primitives/params.ts";
import type { ContractAbi, ContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Awaitable } from "./awaitable.ts";
import type { LogQuery } from "./contract-logs.ts";

/** Part of an account's history; blocks at both ends are left out. */
export interface HistoryRange {
  readonly limit: number;
  readonly order: "asc" | "desc";
  readonly afterBlock?: Height;
  readonly beforeBlock?: Height;
}

/** Account and a page of its history. */
export interface AccountHistory {
  readonly balanceUt: AmountUt;
  readonly txCount: number;
  /** Newest first. */
  readonly transactions: readonly TransactionEntry[];
  /** Entries of blocks below are missing on the page; 0 when none are. */
  readonly missingBelow: Height;
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
  /** The lowest block from which on each entry of an account is here; 0 where all are. Absent where every feed is whole. */
  feedFrom?(account: PublicKeyHex): Awaitable<Height>;
  chainTransaction(id: string): Awaitable<ChainTransactionDetail | undefined>;
  identity(masterPub: PublicKeyHex): Awaitable<IdentityInfo>;
  deviceList(masterPub: PublicKeyHex): Awaitable<readonly DeviceRecord[]>;
  /** Oldest first; `after` is a cursor of `contact-cursor.ts`. */
  contactsOf(recipient: PublicKeyHex, page: ContactsPage): Awaitable<ListOf<ContactInfo>>;
  contactsRequestedBy(requester: PublicKeyHex, page: ListPage): Awaitable<ListOf<SentContactInfo>>;
  validators(): Awaitable<readonly ValidatorRecord[]>;
  /** Set aside for their absence, the latest first, within a bound. */
  setAside(): Awaitable<readonly AbsentValidator[]>;
  /** Changes of the set that wait for approvals; `after` is `add:<key>` or `remove:<key>`. */
  validatorProposals(page: ListPage): Awaitable<ListOf<ValidatorProposal>>;
  parameters(query: ParametersQuery): Awaitable<NetworkParameters>;
  /** Newest buckets, oldest first. */
  chart(series: { readonly resolution: ChartResolution; readonly limit: number }): Awaitable<Chart>;
}

/** What the program knows of parameters beside the chain. */
export interface ParametersQuery {
  /** Those of the network before any change. */
  readonly first: NetworkParams;
  readonly knownVersions: readonly number[];
}

/** Part of a list: what comes after an id, when one is given. */
export interface ListPage {
  readonly limit: number;
  readonly after?: string;
}

/** Part of the contracts, in the order of their deployment (`asc`, the default) or the newest first. */
export interface ContractsPage extends ListPage {
  readonly order?: "asc" | "desc";
}

/** Part of the requests that a key received; with keys that it blocked although they never asked, when that is wanted. */
export interface ContactsPage extends ListPage {
  readonly withBlocks?: boolean;
}

/** Items of a page; `next` continues the list, when there may be more. */
export interface ListOf<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
  /** Where the node lacks what blocks below would add. */
  readonly missingBelow?: Height;
}

/** A page with the length of its whole list; undefined for one that is too long to be counted. */
export interface CountedList<T> extends ListOf<T> {
  readonly total: number | undefined;
}

/** Reads of contracts and of what the native ones keep. Contract ids are lower-case hex. */
export interface ContractQueries {
  /** Items that one read of a list has at most; any number when absent. */
  readonly mostItems?: number;
  /** The earliest contract of every name. */
  wellKnown(): Awaitable<Readonly<Record<string, WellKnownContract>>>;
  list(page: ContractsPage): Awaitable<CountedList<ContractRecord>>;
  contract(id: ContractId): Awaitable<ContractDetail | undefined>;
  /** Nulls for a key without a value. */
  value(id: ContractId, key: string): Awaitable<ContractState>;
  /** `next` is a position of `contract-logs.ts`. */
  logs(id: ContractId, query: LogQuery): Awaitable<ListOf<ContractLog>>;
  tokens(page: ListPage): Awaitable<CountedList<Token>>;
  token(id: string): Awaitable<Token | undefined>;
  tokenBalance(id: string, publicKey: PublicKeyHex): Awaitable<bigint>;
  /** Tokens of which a key holds something; a page may be short and still have a next one. */
  tokensOf(owner: PublicKeyHex, page: ListPage): Awaitable<CountedList<HeldToken>>;
  nfts(page: ListPage): Awaitable<CountedList<Nft>>;
  nft(id: string): Awaitable<Nft | undefined>;
  nftsOf(owner: PublicKeyHex, page: ListPage): Awaitable<CountedList<Nft>>;
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
  /** Undefined above the newest block. */
  block(height: Height): Awaitable<ProvenBlock | undefined>;
}

/** Search by a text without blanks around it. */
export interface SearchQueries {
  /** At most `limit` hits of each kind. */
  search(query: string, limit: number): Awaitable<SearchResult>;
}

/** A call that is only tried out. */
export interface SimulatedCall extends Omit<NestedCall, "stackWords"> {
  readonly caller: PublicKeyHex;
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
  /** Where in the contract's module the call broke off, from the inside out; empty where that is not known. */
  readonly places: readonly SimulationPlace[];
}

/** A function of a module, and an instruction in it. */
export interface SimulationPlace {
  readonly functionIndex: number;
  /** Position in the bytes of the module; undefined where it is not known. */
  readonly offset: number | undefined;
}

/** A deployment that is only tried out. */
export interface SimulatedDeployment {
  readonly deployer: PublicKeyHex;
  readonly code: Uint8Array;
  readonly abi: ContractAbi;
  readonly abiJson: string;
  /** JSON list, "" for none. */
  readonly initArgsJson: string;
  /** Most gas of `init`, beside what storing takes. */
  readonly initGas: number;
}

/** What came of it: `functions` are those that methods can be, none of a module that is refused. */
export interface DeploymentSimulation extends Simulation {
  readonly functions: readonly string[];
  /** Part of the used gas that the length of module and ABI decides. */
  readonly storeGas: number;
}

/** Calls of contracts that change nothing. */
export interface CallQueries {
  simulateDeployment(deployment: SimulatedDeployment): Awaitable<DeploymentSimulation>;
  simulate(call: SimulatedCall): Awaitable<Simulation>;
}

/** Reads of nodes. A key that never was one has zeros. */
export interface NodeQueries {
  nodeStats(publicKey: PublicKeyHex, windowBlocks: number): Awaitable<NodeStats>;
  relays(page: ListPage): Awaitable<readonly RegisteredRelay[]>;
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
