// The chain of a stopped folder up to a height below which nothing says what was replaced: every block is executed again, from genesis or from
// a snapshot, into a second folder, whose file then takes the place of the chain's. Whatever ends it before that leaves the chain as it was.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DataFolderPaths } from "#node/config/files/data-folder.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { CHAIN_FILE, type ChainDatabase, openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { requireFreeRoom } from "#node/storage/chain/migration/free-room.ts";
import { replaceDatabase } from "#node/storage/chain/migration/replace-database.ts";
import { HISTORY_FOLDER } from "#node/storage/history/sealing/sealed-history.ts";
import { heightOfSnapshot } from "#node/storage/snapshots/snapshot-file.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { type BlockExecutor, createBlockExecutor } from "../execution/block-executor.ts";
import type { DecidedBlock } from "../execution/decided-block.ts";
import type { TransactionSource } from "../execution/selection/transaction-source.ts";
import { beginWith, type SnapshotBase } from "./snapshot-base.ts";
import type { StoppedFolder } from "./stopped-folder.ts";

/** Folder in the data folder while the chain is made. */
const REPLAY_FOLDER = "rollback";

/** Blocks that become durable together, and their transactions at most, about. */
const BATCH = { blocks: 500, transactions: 20_000 };
/** Of what the chain takes: rows take more than files. */
const ROOM = 2;

/** What a caller may choose. */
export interface ReplayFolderOptions {
  /** Hears how many blocks are made of how many. */
  readonly onProgress?: ((height: Height, to: Height) => void) | undefined;
  /** Bytes that are free on the disk of a folder; what the system says unless given. */
  readonly freeBytes?: ((directory: string) => number) | undefined;
}

type Chain = Pick<StoppedFolder, "paths" | "genesis" | "database">;

/** How the chain is made once more. */
export interface Replay {
  /** The newest block. */
  readonly to: Height;
  /** What it begins with; genesis where there is none. */
  readonly base: SnapshotBase | undefined;
}

/**
 * Writes the chain, which has all blocks from its base on, up to a height into a second file beside that of the folder.
 * @returns what puts it into the place of the folder's chain, to be called once that is closed.
 * @throws CodedError STORAGE_FULL before anything was done where the disk has too little room,
 * INVARIANT for a block that does not give its header, STORAGE_CORRUPT for a snapshot that is not the state of its block, or as every database
 * of the folder.
 */
export async function replayFolder(
  { paths, genesis, database }: Chain,
  replay: Replay,
  options: ReplayFolderOptions = {},
): Promise<() => void> {
  const { onProgress, freeBytes } = options;
  const folder = dirname(paths.chain);
  const target = join(folder, REPLAY_FOLDER);
  rmSync(target, { recursive: true, force: true });
  requireRoom(
    folder,
    database.guard(() => heldBytes(paths, database, replay)),
    freeBytes,
  );
  mkdirSync(target, { mode: 0o700 });
  try {
    await fill(target, { paths, genesis, database }, { ...replay, onProgress });
  } catch (error) {
    rmSync(target, { recursive: true, force: true });
    throw error;
  }
  return () => {
    try {
      replaceDatabase(paths.chain, join(target, CHAIN_FILE));
    } finally {
      rmSync(target, { recursive: true, force: true });
    }
    removeSnapshotsAbove(paths.snapshots, replay.to);
  };
}

/** Removes what a rollback left in a data folder that was killed. */
export function removeUnfinishedReplay({ root }: Pick<DataFolderPaths, "root">): void {
  rmSync(join(root, REPLAY_FOLDER), { recursive: true, force: true });
}

interface Wanted extends Replay, Pick<ReplayFolderOptions, "onProgress"> {}

async function fill(target: string, { paths, genesis, database }: Chain, wanted: Wanted): Promise<void> {
  const { base } = wanted;
  if (base !== undefined) database.guard(() => beginWith(base, join(target, CHAIN_FILE), { genesis, database }));
  const fresh = openChainDatabase(target, { chainId: genesis.chain_id, genesisHash: genesisHash(genesis) });
  try {
    const stateFile = existsSync(paths.genesisState) ? paths.genesisState : undefined;
    // The blocks were decided: signatures of their transactions were checked then, and what they give is held to their headers.
    const checks = { verify: createNativeVerifier(), isSigned: (): boolean => true, isAcceptableKey: (): boolean => true };
    const executor = createBlockExecutor({ database: fresh, genesis, stateFile, source: NO_SOURCE, ...checks });
    await applyAll(executor, database, wanted);
    fresh.own.add(database.own.all().map(({ publicKey }) => publicKey));
    fresh.takenBack.set(wanted.to);
  } finally {
    fresh.close();
  }
}

async function applyAll(
  executor: BlockExecutor,
  database: Pick<ChainDatabase, "blocks" | "guard">,
  { to, base, onProgress }: Wanted,
): Promise<void> {
  let batch: DecidedBlock[] = [];
  let transactions = 0;
  for (let height = (base?.height ?? 0) + 1; height <= to; height += 1) {
    const record = database.guard(() => database.blocks.get(height));
    assertInvariant(record !== undefined && record.commit !== null, `Block ${height} or its commit is missing`);
    batch.push({ block: record.block, commit: record.commit });
    transactions += record.block.transactions.length;
    if (height < to && batch.length < BATCH.blocks && transactions < BATCH.transactions) continue;
    await executor.apply(batch);
    onProgress?.(height, to);
    [batch, transactions] = [[], 0];
  }
}

/** The chain is built of what was decided. */
const NO_SOURCE: TransactionSource = {
  candidates: () => [],
  hasPending: () => false,
  get: () => undefined,
  remove: () => undefined,
};

/** What the state and the blocks of the chain take now, as far as it is made once more. */
function heldBytes({ chain }: DataFolderPaths, { history }: Pick<ChainDatabase, "history">, { to, base }: Replay): number {
  const folder = join(dirname(chain), HISTORY_FOLDER);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const all = names.map((name) => statSync(join(folder, name)).size);
  const above = history.all().filter(({ first, last }) => last > (base?.height ?? 0) && first <= to);
  const sizes = base === undefined ? all : above.map(({ bytes }) => bytes);
  return sizes.reduce((sum, size) => sum + size, statSync(chain).size);
}

function requireRoom(folder: string, heldBytes: number, freeBytes: ReplayFolderOptions["freeBytes"]): void {
  requireFreeRoom({ directory: folder, bytes: heldBytes * ROOM, work: `The chain of ${folder} must be made once more`, freeBytes });
}

function removeSnapshotsAbove(folder: string, height: Height): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names) if ((heightOfSnapshot(name) ?? 0) > height) rmSync(join(folder, name), { force: true });
}
