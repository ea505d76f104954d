// What queries need of a chain: the reads of its repositories, by whomever they are answered. A full node has a database; a light one
// fetches what is asked and proves it.
import type { BlockRepository } from "#node/storage/chain/block-repository.ts";
import type { StateRepository } from "#node/storage/chain/state-repository.ts";
import type { ValidatorSetRepository } from "#node/storage/chain/validator-set-repository.ts";
import type { ChannelIndexRepository } from "#node/storage/explorer/channel-index-repository.ts";
import type { ContractIndexRepository } from "#node/storage/explorer/contract-index-repository.ts";
import type { ContractLogRepository } from "#node/storage/explorer/contract-log-repository.ts";
import type { ExplorerRepository } from "#node/storage/explorer/explorer-repository.ts";

/** Blocks by height or hash. */
export type BlockReads = Pick<
  BlockRepository,
  "tipHeight" | "firstHeight" | "header" | "summary" | "summaries" | "heightOfHash" | "get" | "commit"
>;

/** The committed state. */
export type StateReads = Pick<StateRepository, "get" | "next" | "each">;

/** Lists that follow from blocks. */
export interface IndexReads
  extends Pick<
    ExplorerRepository,
    | "recentTransactions"
    | "transaction"
    | "transactionsOf"
    | "historyPage"
    | "historyRange"
    | "historyFrom"
    | "recipientsOf"
    | "countedFrom"
    | "typeTotals"
    | "blocksProposedBy"
    | "proposerWindow"
    | "window"
  > {
  /** Where histories of own accounts outlive their blocks. */
  readonly keptTransaction?: ExplorerRepository["keptTransaction"];
  readonly charts: Pick<ExplorerRepository["charts"], "range" | "buckets">;
  readonly contracts: Pick<ContractIndexRepository, "list" | "count" | "earliestOfNames" | "named" | "earliestNamed" | "get">;
  readonly contractLogs: Pick<ContractLogRepository, "page">;
  readonly channels: Pick<ChannelIndexRepository, "list" | "get">;
}

/** Reads of a chain, all of one moment. */
export interface ChainReads {
  readonly blocks: BlockReads;
  readonly validatorSets: Pick<ValidatorSetRepository, "at">;
  readonly state: StateReads;
  readonly explorer: IndexReads;
}
