// Reading the tip of a stored chain, making sure that the stored state is the one of the stored tip, and who proposes next.
import { readValidators } from "#node/ledger/records/records.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { stateRoot } from "#node/state/state-tree.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { type Genesis, genesisHash } from "#shared/protocol/chain/genesis.ts";
import { type HashHex, type Height, headerHash } from "#shared/protocol/chain/header.ts";
import { type DecidedProposer, firstProposerHeight, ProposerSchedule } from "#shared/protocol/chain/proposers.ts";
import { type ValidatorSet, validatorsHash } from "#shared/protocol/chain/validators.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { ParentBlock } from "./chain-rules.ts";

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

/** Reads the headers that the order of proposers at the next height depends on. */
export function openProposerSchedule(database: ChainDatabase, tipHeight: Height): ProposerSchedule {
  const { validatorSets } = database;
  const schedule = new ProposerSchedule(nativeSha256);
  let set: { readonly hash: HashHex; readonly validators: ValidatorSet } | undefined;
  for (let height = firstProposerHeight(tipHeight + 1); height <= tipHeight; height += 1) {
    const block = decidedAt(database, height);
    assertInvariant(block !== undefined, "A chain has a block at every height up to its tip");
    const { validatorsHash: hash } = block;
    if (set?.hash !== hash) set = { hash, validators: validatorSets.at(height) };
    schedule.decided(block, set.validators);
  }
  return schedule;
}

/** Whose turn was taken at a height. Where a file of old blocks is damaged, the rows that every block keeps say the same. */
function decidedAt({ blocks, validatorSets }: ChainDatabase, height: Height): DecidedProposer | undefined {
  try {
    return blocks.header(height);
  } catch (error) {
    if (!isCodedError(error, "STORAGE_CORRUPT")) throw error;
    const row = blocks.summary(height);
    return row && { height, proposer: row.proposer, validatorsHash: validatorsHash(validatorSets.at(height)) };
  }
}

function damaged(database: ChainDatabase, what: string): CodedError {
  return new CodedError(
    "STORAGE_CORRUPT",
    `The database ${database.file} is damaged (${what}): move the data folder away and start again; the node then fetches the chain from its peers`,
    { details: { file: database.file } },
  );
}
