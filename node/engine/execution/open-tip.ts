// Reading the tip of a stored chain, making sure that the stored state is the one of the stored tip, and who proposes next.
import { readValidators } from "#node/ledger/records/records.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { stateRoot } from "#node/state/state-tree.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type Genesis, genesisHash } from "#shared/protocol/chain/genesis.ts";
import { type Height, headerHash } from "#shared/protocol/chain/header.ts";
import { firstProposerHeight, ProposerSchedule } from "#shared/protocol/chain/proposers.ts";
import { validatorsHash } from "#shared/protocol/chain/validators.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { ParentBlock } from "./chain-rules.ts";

/** A chain without any validators. */
const NO_SET = { validators: [], hash: validatorsHash([]) };

/** The block that the next one is built on. @throws CodedError STORAGE_CORRUPT when block, state or genesis do not belong together. */
export function openTip(database: ChainDatabase, genesis: Genesis): ParentBlock {
  const record = database.blocks.get(database.blocks.tipHeight() ?? 0);
  if (record === undefined) throw damaged(database, "it has no block");
  const { header } = record.block;
  const nextValidators = readValidators(database.state);
  if (headerHash(header) !== record.hash) throw damaged(database, `block ${header.height} has another hash`);
  if (toHex(stateRoot(database.state)) !== header.stateRoot) throw damaged(database, `its state is not the one of block ${header.height}`);
  if (validatorsHash(nextValidators) !== header.nextValidatorsHash)
    throw damaged(database, `its validators are not those of block ${header.height}`);
  // A chain that begins at a later height has nothing of block 0: its network is in the table of the file's own facts, checked when it opens.
  const isFirst = database.blocks.firstHeight() > 0 || database.blocks.summary(0)?.parentHash === genesisHash(genesis);
  if (!isFirst) throw damaged(database, "its first block is another network's");
  return { header, hash: record.hash, commit: record.commit, validators: database.validatorSets.at(header.height), nextValidators };
}

/**
 * Who proposed the blocks that the order of proposers at the next height depends on, up to 8,192. By the rows of the blocks: headers of old
 * ones are in files, where each takes a read and a checksum.
 */
export function openProposerSchedule({ blocks, validatorSets }: ChainDatabase, tipHeight: Height): ProposerSchedule {
  const schedule = new ProposerSchedule(nativeSha256);
  const first = firstProposerHeight(tipHeight + 1);
  const proposers = blocks.proposers(first, tipHeight);
  const sets = validatorSets.since(first).map((set) => ({ ...set, hash: validatorsHash(set.validators) }));
  let current = 0;
  for (let height = first; height <= tipHeight; height += 1) {
    while ((sets[current + 1]?.fromHeight ?? Number.POSITIVE_INFINITY) <= height) current += 1;
    const set = sets[current] ?? NO_SET;
    const proposer = proposers.get(height);
    assertInvariant(proposer !== undefined, "A chain has a block at every height up to its tip");
    schedule.decided({ height, proposer, validatorsHash: set.hash }, set.validators);
  }
  return schedule;
}

function damaged(database: ChainDatabase, what: string): CodedError {
  return new CodedError(
    "STORAGE_CORRUPT",
    `The database ${database.file} is damaged (${what}): move the data folder away and start again; the node then fetches the chain from its peers`,
    { details: { file: database.file } },
  );
}
