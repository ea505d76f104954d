// A stopped node back to an earlier block, from which it follows its peers again. What it has signed stays signed: the sign guard is not
// touched, so a validator casts no vote until the heights that it signed are decided.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readKey } from "#node/config/files/key-store.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { guardedKeyOf } from "../log/sign-guard.ts";
import { type ReplayFolderOptions, replayFolder } from "./replay-folder.ts";
import { type SnapshotBase, snapshotBases } from "./snapshot-base.ts";
import { lowestHeight, openStoppedFolder, requireHeight, type StoppedFolder } from "./stopped-folder.ts";

/** What was done. */
export interface RolledBack {
  readonly from: Height;
  readonly to: Height;
}

/**
 * Takes the blocks above a height back, all of them or none. Below the newest hundred the chain is executed again up to the height: from
 * genesis, or where not all blocks are here, from the newest of the folder's own snapshots below.
 * @throws CodedError CONFIG_INVALID for a height that cannot be reached, VALIDATOR_UNSAFE when no other validator could decide the
 * heights again, or as every data folder.
 */
export async function rollbackFolder(path: string, height: Height, options: ReplayFolderOptions = {}): Promise<RolledBack> {
  using folder = openStoppedFolder(path);
  const { database, tip } = folder;
  const from = tip.header.height;
  const lowest = database.guard(() => lowestHeight(folder));
  const base = database.guard(() => baseOf(folder, height, lowest));
  if (height === from) return { from, to: height };
  database.guard(() => refuseSoleValidator(folder, height, height < lowest ? copyOf(base) : ""));
  if (height >= lowest) database.guard(() => database.rollback(height));
  else {
    const takePlace = await replayFolder(folder, { to: height, base }, options);
    database.close();
    takePlace();
  }
  return { from, to: height };
}

/**
 * The snapshot that the chain is to begin with; undefined where it is rolled back block by block, or executed from genesis.
 * @throws CodedError CONFIG_INVALID for a height that cannot be reached
 */
function baseOf(folder: StoppedFolder, height: Height, lowest: Height): SnapshotBase | undefined {
  const { blocks, explorer, own } = folder.database;
  const hasAll = blocks.firstHeight() === 0;
  if (height >= 0 && height < lowest && hasAll) return undefined;
  const bases = height < lowest ? snapshotBases(folder) : [];
  requireHeight(folder, height, Math.min(lowest, bases[0]?.height ?? lowest));
  const base = height < lowest ? bases.findLast((each) => each.height <= height) : undefined;
  if (base === undefined || (!explorer.hasKept() && own.all().length === 0)) return base;
  throw new CodedError(
    "CONFIG_INVALID",
    `Block ${height} is reached from the snapshot of block ${base.height}, and the entries of own accounts that this folder keeps from before would be lost: begin with a new folder instead`,
    { details: { height } },
  );
}

/** A backup has no snapshots. */
function copyOf(base: SnapshotBase | undefined): string {
  const what = base === undefined ? "" : ", with snapshots/ beside it,";
  return ` of a copy without its keys${what} that was rolled back (parley backup --without-keys)`;
}

function refuseSoleValidator({ paths, database }: StoppedFolder, height: Height, copy: string): void {
  const validators = database.validatorSets.at(height + 1);
  const [sole] = validators;
  if (sole === undefined || validators.length !== 1 || !ownKeys(paths).includes(sole.publicKey)) return;
  throw new CodedError(
    "VALIDATOR_UNSAFE",
    `This node is the only validator of block ${height + 1} and has signed it: it will not sign another one, so its chain would stand still after ${height}. To continue from there, make a new chain with parley export-genesis --height ${height}${copy}`,
    { details: { height } },
  );
}

/** Keys that vote from this folder: the node's, and one that a signer holds. */
function ownKeys({ nodeKey, consensus }: StoppedFolder["paths"]): readonly (string | undefined)[] {
  return [readKey(nodeKey, "ed25519")?.publicKey, guardedKey(join(consensus, "sign-guard"))];
}

/** The key of a guard; one that is missing or damaged names none, and the next start says what is wrong with it. */
function guardedKey(path: string): string | undefined {
  try {
    return guardedKeyOf(readFileSync(path));
  } catch {
    return undefined;
  }
}
