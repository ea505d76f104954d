// A stopped node's data folder against itself. Nothing in it is changed.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { dataFolderPaths, readFolderNetwork } from "#node/config/files/data-folder.ts";
import { readValidators } from "#node/ledger/records/records.ts";
import { BlockRepository } from "#node/storage/chain/block-repository.ts";
import { CHAIN_FILE, type ChainReader } from "#node/storage/chain/chain-database.ts";
import { StateRepository } from "#node/storage/chain/state-repository.ts";
import { UNDO_HEIGHTS } from "#node/storage/chain/undo-repository.ts";
import { ValidatorSetRepository } from "#node/storage/chain/validator-set-repository.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { lockDataFolder } from "#node/storage/data-folder-lock.ts";
import { ExplorerRepository } from "#node/storage/explorer/explorer-repository.ts";
import { closeHistory, sealedHistory } from "#node/storage/history/sealing/sealed-history.ts";
import { LIGHT_DATABASE, LIGHT_FILE } from "#node/storage/light-database.ts";
import { MAILBOX_FILE } from "#node/storage/mailbox/mailbox-repository.ts";
import { MAILBOX_DATABASE } from "#node/storage/mailbox/mailbox-schema.ts";
import { HELD_MAIL_DATABASE, HELD_MAIL_FILE } from "#node/storage/messages/held-mail-store.ts";
import { MAIL_QUEUE_DATABASE, MAIL_QUEUE_FILE } from "#node/storage/messages/mail-queue.ts";
import { PUBLIC_CARDS_DATABASE, PUBLIC_CARDS_FILE } from "#node/storage/messages/public-card-store.ts";
import { SNAPSHOT_DATABASE } from "#node/storage/snapshots/snapshot-file.ts";
import { type DatabaseKind, openSqliteReader, type SqliteDatabase } from "#node/storage/sqlite-database.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { validatorsHash } from "#shared/protocol/chain/validators.ts";
import { checkBlocks, RECENT_BLOCKS } from "./check-blocks.ts";
import { checkHistory } from "./check-history.ts";
import { checkIndex } from "./check-index.ts";
import { checkLaterIndex } from "./check-later-index.ts";
import { checkSnapshots, snapshotsOf } from "./check-snapshots.ts";
import { checkState, checkStateRoot, countOf } from "./check-state.ts";
import { type Finding, Findings } from "./findings.ts";

/** How much is read, and what is going on. */
export interface CheckOptions {
  /** Also every body, commit and receipt, every record of the state, and the index, by executing all blocks again. */
  readonly isFull: boolean;
  /** `total` is undefined where it is not known before. */
  readonly onProgress: (
    what: "pages" | "snapshots" | "blocks" | "state" | "execution" | "index",
    done: number,
    total: number | undefined,
  ) => void;
}

/** What was read and found. */
export interface CheckReport {
  /** Height of the newest block; null for the folder of a light node. */
  readonly height: Height | null;
  readonly transactions: number;
  /** Files of old blocks that the chain does not know, and a node leaves there: they are no damage. */
  readonly others: readonly string[];
  /** The first ones; `count` has all. */
  readonly findings: readonly Finding[];
  readonly count: number;
}

const DATABASES: readonly (readonly [file: string, kind: DatabaseKind])[] = [
  [CHAIN_FILE, CHAIN_DATABASE],
  [MAILBOX_FILE, MAILBOX_DATABASE],
  [MAIL_QUEUE_FILE, MAIL_QUEUE_DATABASE],
  [HELD_MAIL_FILE, HELD_MAIL_DATABASE],
  [PUBLIC_CARDS_FILE, PUBLIC_CARDS_DATABASE],
  [LIGHT_FILE, LIGHT_DATABASE],
];

/**
 * Checks a folder; what is damaged is a finding.
 * @throws CodedError CONFIG_INVALID when it holds no node, STORAGE_LOCKED while a node runs, STORAGE_CORRUPT when its genesis file is damaged,
 * STORAGE_OLDER or STORAGE_NEWER when a file is of another version.
 */
export function checkFolder(path: string, options: CheckOptions): CheckReport {
  const genesis = readFolderNetwork(path);
  const lock = lockDataFolder(path);
  try {
    const findings = new Findings();
    const snapshots = snapshotsOf(path).map(({ name }) => [name, SNAPSHOT_DATABASE] as const);
    for (const [file, kind] of [...DATABASES, ...snapshots]) checkPages({ path, file, kind }, options, findings);
    const onProgress = (done: number, total: number): void => options.onProgress("snapshots", done, total);
    if (options.isFull) checkSnapshots(path, { findings, onProgress });
    const hasChain = existsSync(join(path, CHAIN_FILE));
    const read = hasChain ? findings.attempt(CHAIN_FILE, "", () => checkChain(path, genesis, { ...options, findings })) : undefined;
    return { ...(read ?? { height: null, transactions: 0, others: [] }), findings: findings.named, count: findings.count };
  } finally {
    lock.release();
  }
}

/** What SQLite knows of a file: its pages, and for a full check each index against its table. */
function checkPages(
  { path, file, kind }: { readonly path: string; readonly file: string; readonly kind: DatabaseKind },
  { isFull, onProgress }: CheckOptions,
  findings: Findings,
): void {
  if (!existsSync(join(path, file))) return;
  onProgress("pages", 0, undefined);
  findings.attempt(file, "", () =>
    withReader(join(path, file), kind, (database) => {
      const lines = database.pragma(isFull ? "integrity_check" : "quick_check") as readonly Readonly<Record<string, unknown>>[];
      for (const text of lines.map((line) => String(Object.values(line)[0]))) if (text !== "ok") findings.add(file, "", text);
    }),
  );
}

function checkChain(
  path: string,
  genesis: Genesis,
  { isFull, onProgress, findings }: CheckOptions & { readonly findings: Findings },
): Pick<CheckReport, "height" | "transactions" | "others"> {
  return withReader(join(path, CHAIN_FILE), CHAIN_DATABASE, (database) => {
    const chain: ChainReader = {
      blocks: new BlockRepository(database),
      validatorSets: new ValidatorSetRepository(database),
      state: new StateRepository(database),
      explorer: new ExplorerRepository(database),
    };
    const tip = chain.blocks.tipHeight();
    if (tip === undefined) return { height: null, transactions: 0, others: [] };
    const others = checkHistory(sealedHistory(database), { isFull, findings });
    const [first, firstHeader] = [chain.blocks.firstHeight(), chain.blocks.firstHeader()];
    checkRows(database, { tip, first, firstHeader, sealedTo: chain.blocks.sealedTo(), findings });
    const bodiesFrom = Math.max(first, isFull ? 0 : tip - RECENT_BLOCKS + 1);
    const transactions = checkBlocks({
      ...{ chain, genesis, tip, first: firstHeader, bodiesFrom, findings },
      onProgress: (height) => onProgress("blocks", height, tip),
    });
    checkNewest({ database, chain, tip, findings });
    const root = chain.blocks.summary(tip)?.stateRoot ?? "";
    const state = { database, pages: chain.state, root, findings };
    if (isFull) {
      const records = countOf(database, "state");
      checkState({ ...state, onProgress: (done) => onProgress("state", done, records) });
      const stateFile = dataFolderPaths(path).genesisState;
      const index = { path, database, chain, genesis, findings };
      if (first > 0) checkLaterIndex({ ...index, first, onProgress: (height) => onProgress("index", height, tip) });
      else checkIndex({ ...index, stateFile, onProgress: (height) => onProgress("execution", height, tip) });
    } else checkStateRoot(state);
    return { height: tip, transactions, others };
  });
}

interface RowCheck {
  readonly tip: Height;
  /** The lowest block with a body, and with a header. */
  readonly first: Height;
  readonly firstHeader: Height;
  readonly sealedTo: Height;
  readonly findings: Findings;
}

/** Each block has its row, and each that is in no file its body. */
function checkRows(database: SqliteDatabase, { tip, first, firstHeader, sealedTo, findings }: RowCheck): void {
  const tables = [
    { table: "blocks", lowest: firstHeader },
    { table: "block_bodies", lowest: Math.max(first, sealedTo + 1) },
  ];
  for (const { table, lowest } of tables) {
    const rows = countOf(database, `${table} WHERE height >= ${lowest}`);
    const from = lowest === 0 ? "" : ` from block ${lowest} on`;
    if (rows !== tip + 1 - lowest) findings.add(CHAIN_FILE, `table ${table}`, `it has ${rows} rows${from}, and the newest block is ${tip}`);
  }
}

/** What belongs to the newest block alone: the validators of the next one, and what it takes to go back. */
function checkNewest({
  database,
  chain,
  tip,
  findings,
}: {
  readonly database: SqliteDatabase;
  readonly chain: ChainReader;
  readonly tip: Height;
  readonly findings: Findings;
}): void {
  findings.attempt(CHAIN_FILE, `block ${tip}`, () => {
    if (validatorsHash(readValidators(chain.state)) !== chain.blocks.header(tip)?.nextValidatorsHash)
      findings.add(CHAIN_FILE, `block ${tip}`, "the validators in the state are not those that its header names");
  });
  findings.attempt(CHAIN_FILE, "table undo", () => {
    const [rows = 0, first, last] = database.prepare<[], number[]>("SELECT COUNT(*), MIN(height), MAX(height) FROM undo").raw().get() ?? [];
    // Blocks that were taken back have none any more, so there may be fewer than most.
    const isSound = rows === 0 || (last === tip && first === tip - rows + 1 && rows <= UNDO_HEIGHTS);
    if (!isSound) findings.add(CHAIN_FILE, "table undo", `its rows are not those of the blocks up to ${tip}, at most ${UNDO_HEIGHTS}`);
  });
}

function withReader<T>(file: string, kind: DatabaseKind, work: (database: SqliteDatabase) => T): T {
  const database = openSqliteReader(file, kind);
  try {
    return work(database);
  } finally {
    closeHistory(database);
    database.close();
  }
}
