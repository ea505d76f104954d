// Stored blocks against their own hashes: headers link up, and what is beside each header is what it commits to.
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { BlockRecord } from "#node/storage/chain/block-repository.ts";
import { CHAIN_FILE, type ChainReader } from "#node/storage/chain/chain-database.ts";
import { rootHex, transactionsRoot } from "#shared/protocol/chain/block.ts";
import { type Genesis, genesisHash } from "#shared/protocol/chain/genesis.ts";
import { type BlockHeader, type HashHex, type Height, headerHash } from "#shared/protocol/chain/header.ts";
import { validatorsHash } from "#shared/protocol/chain/validators.ts";
import { commitHash, verifyCommit } from "#shared/protocol/chain/vote.ts";
import { encodeReceipt } from "#shared/protocol/transactions/receipt.ts";
import type { Findings } from "./findings.ts";

/** Blocks below the newest one whose bodies every check reads. */
export const RECENT_BLOCKS = 1_000;

/** What is looked at. */
export interface BlockCheck {
  readonly chain: Pick<ChainReader, "blocks" | "validatorSets">;
  readonly genesis: Genesis;
  readonly tip: Height;
  /** Lowest height that is stored, at least as a header. */
  readonly first: Height;
  /** Lowest height whose body is read, and not its header alone. */
  readonly bodiesFrom: Height;
  readonly findings: Findings;
  readonly onProgress: (height: Height) => void;
}

const verify = createNativeVerifier();

/** Reads every header, and bodies from a height on. Returns the transactions that the headers count. */
export function checkBlocks({ chain, genesis, tip, first, bodiesFrom, findings, onProgress }: BlockCheck): number {
  let transactions = 0;
  let parent: HashHex | undefined = first === 0 ? genesisHash(genesis) : undefined;
  for (let height = first; height <= tip; height += 1) {
    const header = findings.attempt(CHAIN_FILE, `block ${height}`, () => chain.blocks.header(height));
    const problem = findings.attempt(CHAIN_FILE, `block ${height}`, () => headerProblem(chain, header, { height, parent }));
    if (typeof problem === "string") findings.add(CHAIN_FILE, `block ${height}`, problem);
    if (height >= bodiesFrom && header !== undefined && problem === null) checkBody({ chain, genesis, findings }, header);
    transactions += header?.txCount ?? 0;
    parent = header === undefined ? undefined : headerHash(header, nativeSha256);
    onProgress(height);
  }
  return transactions;
}

/** Null when a header is what its row says, and follows its parent; the parent of a header that cannot be read is not known. */
function headerProblem(
  { blocks }: Pick<ChainReader, "blocks">,
  header: BlockHeader | undefined,
  { height, parent }: { readonly height: Height; readonly parent: HashHex | undefined },
): string | null {
  const row = blocks.summary(height);
  if (row === undefined) return "it has no row in the table of blocks";
  if (header === undefined) return "it has no body";
  if (header.height !== height) return `its body is that of block ${header.height}`;
  if (parent !== undefined && header.parentHash !== parent) return "it does not follow the block below it";
  if (headerHash(header, nativeSha256) !== row.hash) return "its header has another hash than the table of blocks says";
  const { parentHash, stateRoot, timeMs, proposer, txCount } = header;
  const isSame =
    row.parentHash === parentHash &&
    row.stateRoot === stateRoot &&
    row.timeMs === timeMs &&
    row.proposer === proposer &&
    row.txCount === txCount;
  return isSame ? null : "its row in the table of blocks differs from its header";
}

/** Holds a body, its receipts and its commit to the header. */
function checkBody({ chain, genesis, findings }: Pick<BlockCheck, "chain" | "genesis" | "findings">, header: BlockHeader): void {
  const { height } = header;
  const place = `block ${height}`;
  const record = findings.attempt(CHAIN_FILE, place, () => chain.blocks.get(height));
  if (record === undefined) return;
  for (const problem of findings.attempt(CHAIN_FILE, place, () => bodyProblems(chain, genesis, record)) ?? [])
    findings.add(CHAIN_FILE, place, problem);
}

function bodyProblems(
  chain: BlockCheck["chain"],
  { chain_id: chainId }: Genesis,
  { block, hash, commit, receipts }: BlockRecord,
): readonly string[] {
  const { header, transactions, evidence, lastCommit } = block;
  const { height } = header;
  const validators = chain.validatorSets.at(height);
  const fees = receipts.reduce((sum, { feeUt }) => sum + feeUt, 0);
  const isDecided =
    height === 0
      ? commit === null
      : commit !== null && commit.height === height && commit.blockHash === hash && verifyCommit(chainId, validators, commit, verify);
  const checks: readonly (readonly [boolean, string])[] = [
    [transactionsRoot(transactions, nativeSha256) === header.txRoot, "its transactions are not those of its header"],
    [rootHex(receipts.map(encodeReceipt), nativeSha256) === header.receiptsRoot, "its receipts are not those of its header"],
    [rootHex(evidence, nativeSha256) === header.evidenceRoot, "its evidence is not that of its header"],
    [lastCommit === null || commitHash(lastCommit, nativeSha256) === header.lastCommitHash, "its commit of the block below is another one"],
    [height === 0 || validatorsHash(validators, nativeSha256) === header.validatorsHash, "its validators are not those of its header"],
    [isDecided, "its commit is not one of its validators"],
    [chain.blocks.summary(height)?.totalFeesUt === fees, "its row in the table of blocks has other fees than its receipts"],
  ];
  return checks.filter(([isSound]) => !isSound).map(([, problem]) => problem);
}
