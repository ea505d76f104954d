// The index of every block out of the stored transactions and receipts, which are held to the roots of the headers, and these to each other
// up to the newest one. Nothing is executed but genesis: what a block changed beside that is in the state of the newest.
import { indexBlock } from "#node/engine/execution/block-index.ts";
import { createGenesisBlock } from "#node/engine/execution/genesis-block.ts";
import { readContract } from "#node/ledger/records/contract-records.ts";
import { MemoryStateStore } from "#node/state/memory-state-store.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { IndexedContract } from "#node/storage/explorer/contract-index-repository.ts";
import type { BlockIndex } from "#node/storage/explorer/explorer-writer.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { type Block, rootHex, transactionsRoot } from "#shared/protocol/chain/block.ts";
import { type HashHex, type Height, headerHash } from "#shared/protocol/chain/header.ts";
import { deployedContractId, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { encodeReceipt, type Receipt } from "#shared/protocol/transactions/receipt.ts";
import { BlockRewards } from "./block-rewards.ts";
import { corruptBlock, type ReindexSource } from "./reindex-source.ts";

/**
 * Index of each block, from height 0 up, but for contacts.
 * @throws CodedError STORAGE_CORRUPT for a block that is not what its header says, CONFIG_INVALID where the chain must be executed
 */
export function* recordedBlocks(source: ReindexSource): Generator<BlockIndex, void> {
  const { tables, genesis, stateFile } = source;
  const { blocks, state } = tables;
  const store = new MemoryStateStore();
  const first = createGenesisBlock(genesis, { store, stateFile, take: (lists) => source.take(lists) });
  if (first.hash !== blocks.get(0)?.hash) throw corruptBlock(source, 0);
  store.apply(first.changes, first.pages);
  yield indexBlock(first);
  const rewards = new BlockRewards(genesis, store, state);
  let parent = first.hash;
  for (let height = 1; height <= (blocks.tipHeight() ?? 0); height += 1) {
    const record = readBlock(source, height);
    if (record === undefined || !isWhole(record, parent)) throw corruptBlock(source, height);
    const { block, receipts } = record;
    const reward = rewards.take(block, receipts);
    yield { ...indexBlock({ block, receipts, reward, changes: [] }), contracts: deployedIn(source, block, receipts) };
    parent = record.hash;
  }
}

/** @throws CodedError STORAGE_CORRUPT for bytes that are no block */
function readBlock(source: ReindexSource, height: Height): StoredBody | undefined {
  try {
    return source.tables.blocks.get(height);
  } catch (error) {
    throw isCodedError(error) ? error : corruptBlock(source, height, error);
  }
}

interface StoredBody {
  readonly block: Block;
  readonly hash: HashHex;
  readonly receipts: readonly Receipt[];
}

function isWhole({ block: { header, transactions }, hash, receipts }: StoredBody, parent: HashHex): boolean {
  return (
    headerHash(header, nativeSha256) === hash &&
    header.parentHash === parent &&
    header.txRoot === transactionsRoot(transactions, nativeSha256) &&
    header.receiptsRoot === rootHex(receipts.map(encodeReceipt), nativeSha256)
  );
}

function deployedIn(source: ReindexSource, { header, transactions }: Block, receipts: readonly Receipt[]): readonly IndexedContract[] {
  return transactions.flatMap(({ type, from, id }, position) => {
    if (type !== "DEPLOY_CONTRACT" || receipts[position]?.isOk !== true) return [];
    const contractId = deployedContractId(from, id);
    const contract = readContract(source.tables.state, contractId);
    const abi = contract && parseContractAbi(contract.abiJson);
    if (abi === undefined) throw corruptBlock(source, header.height);
    return [{ id: contractId, name: abi.contract, version: abi.version }];
  });
}
