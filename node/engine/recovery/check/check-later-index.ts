// The index of a chain that begins with a later block: nothing can be executed without the state before it. What the index has of the blocks
// that are here follows from their transactions and receipts, which headers prove, and from the newest state; of what was below, it cannot be
// less. To whom a reward went is read and not checked: blocks that are not here bound the wallets of proposers.
import { indexBlock } from "#node/engine/execution/block-index.ts";
import type { BlockReward } from "#node/ledger/execute.ts";
import { readContract } from "#node/ledger/records/contract-records.ts";
import { readParamsOf } from "#node/ledger/records/params-records.ts";
import { readAccount, readSupply } from "#node/ledger/records/records.ts";
import { BlockRepository } from "#node/storage/chain/block-repository.ts";
import { CHAIN_FILE, type ChainReader } from "#node/storage/chain/chain-database.ts";
import { SEQ_PER_BLOCK } from "#node/storage/chain-schema.ts";
import { ExplorerRepository } from "#node/storage/explorer/explorer-repository.ts";
import type { BlockIndex } from "#node/storage/explorer/explorer-writer.ts";
import { sealedHistory } from "#node/storage/history/sealing/sealed-history.ts";
import { inImmediateTransaction, type SqliteDatabase } from "#node/storage/sqlite-database.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { Findings } from "./findings.ts";
import { type Compared, compareEvents, comparePairs, comparison, type Row, SWEPT, withFreshDatabase } from "./index-comparison.ts";

/** What is looked at. */
export interface LaterIndexCheck {
  readonly path: string;
  readonly database: SqliteDatabase;
  readonly chain: ChainReader;
  readonly genesis: Genesis;
  /** The lowest block whose transactions are here. */
  readonly first: Height;
  readonly findings: Findings;
  readonly onProgress: (height: Height) => void;
}

const HOUR_MS = 3_600_000;
const KEY_BYTES = 32;

/** Fills an index with the blocks that are here, and compares the tables from the first of them on. */
export function checkLaterIndex(check: LaterIndexCheck): void {
  withFreshDatabase(check.path, (fresh) => {
    if (fill(check, fresh)) compareTables(check, fresh);
  });
}

/** True when every block could be read: only then is there an index to compare. */
function fill(check: LaterIndexCheck, fresh: SqliteDatabase): boolean {
  const { chain, database, first, findings, onProgress } = check;
  const [blocks, explorer] = [new BlockRepository(fresh), new ExplorerRepository(fresh)];
  return inImmediateTransaction(fresh, () => {
    copyContracts(database, fresh);
    insertBelow(chain, blocks, first);
    for (let height = first; height <= (chain.blocks.tipHeight() ?? -1); height += 1) {
      const place = `block ${height}`;
      const index = findings.attempt(CHAIN_FILE, place, () => recordedIndex(check, height));
      const summary = chain.blocks.summary(height);
      if (index === undefined || summary === undefined) return false;
      blocks.insertSummary(summary);
      explorer.insert({ ...index, contracts: [] });
      checkClosed(check, index);
      onProgress(height);
    }
    fillContacts(chain, explorer);
    return true;
  });
}

/** Charts count from the time of the block before. Where its row is gone any time will do: the first hour is not compared. */
function insertBelow({ blocks }: Pick<ChainReader, "blocks">, fresh: BlockRepository, first: Height): void {
  const below = blocks.summary(first - 1) ?? blocks.summary(first);
  if (below !== undefined) fresh.insertSummary({ ...below, height: first - 1 });
}

/** Rows name contracts by number, and those of blocks below have theirs. */
function copyContracts(database: SqliteDatabase, fresh: SqliteDatabase): void {
  const insert = fresh.prepare<unknown[]>(
    "INSERT INTO contracts (contract_num, contract_id, name, version, height) VALUES (?, ?, ?, ?, ?)",
  );
  const rows = database.prepare<[], unknown[]>("SELECT contract_num, contract_id, name, version, height FROM contracts");
  for (const row of rows.raw().iterate()) insert.run(...row);
}

/** @throws for a block that is not here */
function recordedIndex(check: LaterIndexCheck, height: Height): BlockIndex {
  const record = check.chain.blocks.get(height);
  if (record === undefined) throw new Error("it has no body");
  const { block, receipts } = record;
  checkDeployed(check, block, receipts);
  return indexBlock({ block, receipts, reward: rewardOf(check, block, receipts), changes: [] });
}

/** What the proposer must have got, with the account that has it. */
function rewardOf(
  { database, chain, genesis }: LaterIndexCheck,
  { header, transactions }: Block,
  receipts: readonly Receipt[],
): BlockReward | undefined {
  if (transactions.length === 0) return undefined;
  const stored = database
    .prepare<[number], { readonly to: string; readonly amountUt: number }>(
      'SELECT lower(hex(pub)) AS "to", amount_ut AS amountUt FROM rewards JOIN accounts USING (account_id) WHERE height = ?',
    )
    .get(header.height);
  const first = firstParams(genesis.params);
  const { block_reward_ut: mostUt } = readParamsOf(chain.state, first, header.paramsHash) ?? first;
  const feesUt = receipts.reduce((sum, { feeUt }) => sum + feeUt, 0);
  const storedUt = (stored?.amountUt ?? 0) - feesUt;
  // The largest supply cuts what a block brings, and how much it was before is not known.
  const isCut = readSupply(chain.state) > MAX_SUPPLY_UT / 2 && storedUt >= 0 && storedUt < mostUt;
  return { to: stored?.to ?? header.proposer, subsidyUt: isCut ? storedUt : mostUt, feesUt };
}

function checkDeployed(
  { chain, database, findings }: LaterIndexCheck,
  { header, transactions }: Block,
  receipts: readonly Receipt[],
): void {
  const heightOf = database.prepare<[string], number>("SELECT height FROM contracts WHERE contract_id = unhex(?)").pluck();
  for (const [position, { type, from, id }] of transactions.entries()) {
    if (type !== "DEPLOY_CONTRACT" || receipts[position]?.isOk !== true) continue;
    const contractId = deployedContractId(from, id);
    if (readContract(chain.state, contractId) === undefined || heightOf.get(contractId) !== header.height)
      findings.add(CHAIN_FILE, "table contracts", `the contract ${contractId} of block ${header.height} is not in it`);
  }
}

/** Channels of blocks below may be closed here. */
function checkClosed({ database, findings }: LaterIndexCheck, { height, channels }: BlockIndex): void {
  const closedAt = database.prepare<[string], number | null>("SELECT close_seq FROM channels WHERE channel_id = unhex(?)").pluck();
  for (const { position, channelId } of channels.closed)
    if (closedAt.get(channelId) !== height * SEQ_PER_BLOCK + position)
      findings.add(CHAIN_FILE, "table channels", `the end of channel ${channelId} in block ${height} is not in it`);
}

function fillContacts({ state }: ChainReader, explorer: ExplorerRepository): void {
  for (const { key } of state.each("contact", new Uint8Array(0))) {
    const contact = { recipientPub: toHex(key.subarray(0, KEY_BYTES)), requesterPub: toHex(key.subarray(KEY_BYTES)) };
    explorer.insertCarried({ contacts: [contact] }, false);
  }
}

function compareTables(check: LaterIndexCheck, fresh: SqliteDatabase): void {
  const { database, first, findings, chain } = check;
  const fromSeq = first * SEQ_PER_BLOCK;
  const hour = Math.floor((chain.blocks.summary(first)?.timeMs ?? 0) / HOUR_MS);
  const compare = comparison(database, fresh, findings);
  const compared = { database, fresh, findings };
  const history = sealedHistory(database);
  const below = entriesBelow(check, fresh);
  const numbered = ([publicKey, number, seq]: Row): Row => [publicKey, Number(number) + below(String(publicKey)), seq];
  for (const { table, sql, isInRun } of SWEPT)
    findings.attempt(CHAIN_FILE, `table ${table}`, () =>
      compare(table, sql(fromSeq), {
        isElsewhere: (row) => isInRun(history, row),
        ...(table === "account_entries" && { wanted: numbered }),
      }),
    );
  const tables = [
    [
      "rewards",
      `SELECT height, hex(pub), amount_ut FROM rewards JOIN accounts USING (account_id) WHERE height >= ${first} ORDER BY height`,
    ],
    ["channels", `SELECT * FROM channels WHERE seq >= ${fromSeq} ORDER BY seq`],
    ["chart_hours", `SELECT * FROM chart_hours WHERE hour > ${hour} ORDER BY hour`],
    ["contract_logs", `SELECT contract_num, seq, line FROM contract_logs WHERE seq >= ${fromSeq} ORDER BY contract_num, seq, line`],
  ] as const;
  for (const [table, sql] of tables) findings.attempt(CHAIN_FILE, `table ${table}`, () => compare(table, sql));
  compareEvents(compare, compared, fromSeq);
  comparePairs(compared);
  for (const [table, column] of [
    ["type_totals", "type"],
    ["proposer_totals", "proposer"],
  ] as const)
    findings.attempt(CHAIN_FILE, `table ${table}`, () => compareTotals(compared, table, column));
}

/** How many entries an account has below the blocks that are here, by its record. */
function entriesBelow({ chain }: LaterIndexCheck, fresh: SqliteDatabase): (publicKey: string) => number {
  const here = fresh
    .prepare<[string], number>(
      "SELECT COUNT(*) FROM account_entries WHERE account_id = (SELECT account_id FROM accounts WHERE pub = unhex(?))",
    )
    .pluck();
  let [known, below] = ["", 0];
  return (publicKey) => {
    // Rows of an account stand together.
    if (publicKey !== known) [known, below] = [publicKey, readAccount(chain.state, publicKey).historyCount - (here.get(publicKey) ?? 0)];
    return below;
  };
}

/** Totals have what blocks below brought as well. */
function compareTotals({ database, fresh, findings }: Compared, table: string, column: string): void {
  const stored = database.prepare<[unknown], number>(`SELECT total FROM ${table} WHERE ${column} = ?`).pluck();
  for (const [name, total] of fresh.prepare<[], [unknown, number]>(`SELECT ${column}, total FROM ${table}`).raw().iterate())
    if ((stored.get(name) ?? 0) < total)
      findings.add(CHAIN_FILE, `table ${table}`, `it counts less of ${nameOf(name)} than the blocks that are here`);
}

function nameOf(name: unknown): string {
  return name instanceof Uint8Array ? toHex(name) : String(name);
}
