// A block of a proven header as the storage takes it, out of what a peer sent: held to the roots of the header, and not executed. What its
// proposer got follows from the receipts and the parameters that the header names; to which wallet, is proven elsewhere.
import { indexBlock } from "#node/engine/execution/block-index.ts";
import type { BlockReward } from "#node/ledger/execute.ts";
import { readParamsOf } from "#node/ledger/records/params-records.ts";
import { readSupply } from "#node/ledger/records/records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import { checkBody } from "#node/light/peers/check-responses.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { blockParts } from "#node/storage/history/records/block-parts.ts";
import type { FilledBlock } from "#node/storage/snapshots/backfill/segment-fill.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { type BlockHeader, type HashHex, headerHash } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";
import type { NetworkParams } from "#shared/protocol/primitives/params.ts";
import { deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import { encodeReceipt, type Receipt } from "#shared/protocol/transactions/receipt.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";

/** A header that follows from one that is here. */
export interface LinkedHeader {
  readonly header: BlockHeader;
  readonly hash: HashHex;
}

/** A block as peers send it: encoded, and the CBOR list of its encoded receipts. */
export interface SentBlock {
  readonly block: Uint8Array;
  readonly receipts: Uint8Array;
}

/** Bytes of blocks and their receipts. */
export function bytesOf(sent: readonly SentBlock[]): number {
  return sent.reduce((sum, { block, receipts }) => sum + block.length + receipts.length, 0);
}

/** Transactions and receipts that are those of a header. */
export interface ProvenBlock extends LinkedHeader {
  readonly block: Block;
  readonly receipts: readonly Receipt[];
}

/** Headers with their hashes, where each is the parent of the next, and the last one has the hash. Undefined where that is not so. */
export function linkedHeaders(headers: readonly BlockHeader[], lastHash: HashHex): readonly LinkedHeader[] | undefined {
  const linked: LinkedHeader[] = [];
  const last = headers.at(-1)?.height ?? 0;
  let hash = lastHash;
  for (const [back, header] of headers.toReversed().entries()) {
    if (header.height !== last - back || headerHash(header, nativeSha256) !== hash) return undefined;
    linked.push({ header, hash });
    hash = header.parentHash;
  }
  return linked.reverse();
}

/** What a peer sent for a header; a text says why it is false. */
export function provenBlock(linked: LinkedHeader, sent: SentBlock): ProvenBlock | string {
  const checked = checkBody({ ...linked, validators: [], commit: null }, { kind: "body", ...sent }, nativeSha256);
  if ("reason" in checked) return checked.reason;
  const { block, receipts } = checked.value;
  return { ...linked, block, receipts };
}

/** Block 0 is its header: it has nothing that the genesis file does not say. */
export function genesisBlock(linked: LinkedHeader): ProvenBlock {
  return { ...linked, block: { header: linked.header, transactions: [], evidence: [], lastCommit: null }, receipts: [] };
}

/** Nodes that directed their earnings to another wallet with the block. */
export function boundNodes({ block, receipts }: ProvenBlock): readonly PublicKeyHex[] {
  return block.transactions.flatMap(({ type, from }, position) =>
    type === "BIND_WALLET" && receipts[position]?.isOk === true ? [from] : [],
  );
}

/** What the proposer got, where it got something. */
export interface RewardSource {
  readonly state: StateReader;
  /** Parameters of the network's first block. */
  readonly first: NetworkParams;
  /** Wallet of the proposer. */
  readonly wallet: PublicKeyHex;
}

/** A proven block with its place in the index. */
export function filledBlock(proven: ProvenBlock, source: RewardSource): FilledBlock {
  const { block, receipts, hash } = proven;
  const { height, parentHash, stateRoot, timeMs, proposer, txCount } = block.header;
  const reward = rewardOf(proven, source);
  const index = indexBlock({ block, receipts, reward, changes: [] });
  const records = block.transactions.map((tx, position) => ({
    transaction: encodeTransaction(tx),
    receipt: encodeReceipt(receipts[position] as Receipt),
  }));
  const totalFeesUt = receipts.reduce((sum, { feeUt }) => sum + feeUt, 0);
  const deployed = block.transactions.flatMap(({ type, from, id }, position) =>
    type === "DEPLOY_CONTRACT" && receipts[position]?.isOk === true ? [deployedContractId(from, id)] : [],
  );
  return {
    sealable: { height, hash, timeMs, ...blockParts(block), reward: index.reward ?? null, records },
    summary: { height, hash, parentHash, stateRoot, timeMs, proposer, txCount, totalFeesUt },
    index,
    deployed,
  };
}

function rewardOf({ block, receipts }: ProvenBlock, { state, first, wallet }: RewardSource): BlockReward | undefined {
  if (block.transactions.length === 0) return undefined;
  const feesUt = receipts.reduce((sum, { feeUt }) => sum + feeUt, 0);
  const params = readParamsOf(state, first, block.header.paramsHash) ?? first;
  return { to: wallet, subsidyUt: readSupply(state) >= MAX_SUPPLY_UT ? 0 : params.block_reward_ut, feesUt };
}
