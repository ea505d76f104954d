// A chain that begins after a block: what is written beside the state, which is proven.
import type { BlockReward } from "#node/ledger/execute.ts";
import { readWallet } from "#node/ledger/records/node-records.ts";
import { readParamsOf } from "#node/ledger/records/params-records.ts";
import { readSupply, readValidators } from "#node/ledger/records/records.ts";
import type { Namespace, StateReader } from "#node/ledger/state-view.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { NewHeader } from "#node/storage/chain/block-repository.ts";
import type { CarriedLists } from "#node/storage/explorer/explorer-writer.ts";
import { blockParts } from "#node/storage/history/records/block-parts.ts";
import { packGroups } from "#node/storage/history/records/record-groups.ts";
import type { ChainBeginning, IdsOfBlock } from "#node/storage/snapshots/begin-chain.ts";
import { encode } from "#shared/codec/codec.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { type BlockHeader, type HashHex, headerHash } from "#shared/protocol/chain/header.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { type Commit, commitCodec } from "#shared/protocol/chain/vote.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";
import type { NetworkParams } from "#shared/protocol/primitives/params.ts";
import { encodeReceipt, type Receipt } from "#shared/protocol/transactions/receipt.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { indexBlock } from "../execution/block-index.ts";
import { carriedLists } from "../genesis/carried-lists.ts";
import type { StateRecord } from "../genesis/state-file.ts";

/** Proven parts of the chain around the height of a state. */
export interface ProvenBeginning {
  /** The block after which the state is so, with its receipts and its commit. */
  readonly block: Block;
  readonly receipts: readonly Receipt[];
  readonly commit: Commit;
  /** Below it, ascending without gaps. */
  readonly headers: readonly BlockHeader[];
  /** Ids of the replay window; those of the block itself are passed over. */
  readonly ids: readonly IdsOfBlock[];
  /** Every set that signed one of those blocks, by its hash. */
  readonly sets: ReadonlyMap<HashHex, ValidatorSet>;
  /** Parameters of the network's first block. */
  readonly first: NetworkParams;
}

const LISTED: readonly Namespace[] = ["contact", "channel", "contract"];
/** Records of one step. */
const RECORDS_AT_ONCE = 20_000;
const NO_PREFIX = new Uint8Array(0);

/** What is written; lists are read from the state while they are. */
export function chainBeginning(state: StateReader, proven: ProvenBeginning): ChainBeginning {
  const { block, receipts, commit, headers, ids } = proven;
  const { header, transactions } = block;
  const { height, validatorsHash, nextValidatorsHash } = header;
  const records = transactions.map((tx, position) => {
    const receipt = receipts[position];
    assertInvariant(receipt !== undefined, "Receipts stand in the order of their transactions");
    return { transaction: encodeTransaction(tx), receipt: encodeReceipt(receipt) };
  });
  const index = indexBlock({ block, receipts, reward: rewardOf(state, proven), changes: [] });
  const opened = new Set(index.channels.opened.map(({ channelId }) => channelId));
  return {
    headers: headers.map((each): NewHeader => ({ header: each, hash: headerHash(each, nativeSha256) })),
    ids: ids.filter((each) => each.height < height),
    validatorSets: setChanges([...headers, header], proven.sets),
    block: {
      ...blockParts(block),
      groups: packGroups(records),
      commitRecord: encode(commitCodec, commit),
      summary: summaryOf(header, receipts),
      newValidators: nextValidatorsHash === validatorsHash ? undefined : readValidators(state),
      index,
    },
    lists: listsOf(state, opened),
  };
}

function summaryOf(header: BlockHeader, receipts: readonly Receipt[]): ChainBeginning["block"]["summary"] {
  const { height, parentHash, stateRoot, timeMs, proposer, txCount } = header;
  const totalFeesUt = receipts.reduce((sum, { feeUt }) => sum + feeUt, 0);
  return { height, hash: headerHash(header, nativeSha256), parentHash, stateRoot, timeMs, proposer, txCount, totalFeesUt };
}

function setChanges(headers: readonly BlockHeader[], sets: ProvenBeginning["sets"]): ChainBeginning["validatorSets"] {
  return headers.flatMap(({ height, validatorsHash }, index) => {
    if (headers[index - 1]?.validatorsHash === validatorsHash) return [];
    const validators = sets.get(validatorsHash);
    assertInvariant(validators !== undefined, `The validators of block ${height} are not known`);
    return [{ fromHeight: height, validators }];
  });
}

/** As its execution gave it: the wallet of a proposer and the supply after the block are in the state. */
function rewardOf(state: StateReader, { block, receipts, first }: ProvenBeginning): BlockReward | undefined {
  if (block.transactions.length === 0) return undefined;
  const feesUt = receipts.reduce((sum, { feeUt }) => sum + feeUt, 0);
  const subsidyUt = readSupply(state) >= MAX_SUPPLY_UT ? 0 : (readParamsOf(state, first, block.header.paramsHash) ?? first).block_reward_ut;
  return { to: readWallet(state, block.header.proposer), subsidyUt, feesUt };
}

/** Lists of everything but the channels that the block itself opened. */
function* listsOf(state: StateReader, opened: ReadonlySet<string>): Generator<Partial<CarriedLists>> {
  for (const lists of carriedLists(inSteps(state)))
    yield { ...lists, channels: (lists.channels ?? []).filter(({ channelId }) => !opened.has(channelId)) };
}

function* inSteps(state: StateReader): Generator<readonly StateRecord[]> {
  for (const namespace of LISTED)
    for (let after: Uint8Array | undefined, records: StateRecord[] = []; ; ) {
      const entry = state.next(namespace, NO_PREFIX, after);
      if (entry !== undefined) records.push({ namespace, ...entry });
      if (records.length === RECORDS_AT_ONCE || entry === undefined) {
        yield records;
        records = [];
      }
      if (entry === undefined) break;
      after = entry.key;
    }
}
