// Reading from a data folder beside the node that uses it: the newest block, the committed state, and the fees that it may collect for
// envelopes.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { StateReader } from "#node/ledger/state-view.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { BlockRepository } from "./chain/block-repository.ts";
import { CHAIN_FILE } from "./chain/chain-database.ts";
import { StateRepository } from "./chain/state-repository.ts";
import { CHAIN_DATABASE } from "./chain-schema.ts";
import { diskFiles } from "./history/files/disk-files.ts";
import { RunFile } from "./history/runs/run-format.ts";
import { closeHistory, sealedHistory } from "./history/sealing/sealed-history.ts";
import { RUN_KIND_NAMES, RUN_KINDS, storedRunName } from "./history/sealing/sealed-runs.ts";
import { SegmentFile } from "./history/segments/segment-file.ts";
import { segmentName } from "./history/segments/segment-format.ts";
import { MAILBOX_FILE } from "./mailbox/mailbox-repository.ts";
import { MAILBOX_DATABASE } from "./mailbox/mailbox-schema.ts";
import { listClaims, MAX_STORED_CLAIMS, type StoredClaim } from "./mailbox/relay-claim-repository.ts";
import { openSqliteReader } from "./sqlite-database.ts";

/** Runs reads of the committed state of a folder. @throws CodedError as every database of the folder. */
export function withCommittedState<T>(directory: string, work: (state: StateReader) => T): T {
  const database = openSqliteReader(join(directory, CHAIN_FILE), CHAIN_DATABASE);
  try {
    return work(new StateRepository(database));
  } finally {
    database.close();
  }
}

/** The newest block of a folder; undefined without a chain or after genesis alone. @throws CodedError as every database of the folder. */
export function readChainTip(directory: string): { readonly height: Height; readonly hash: HashHex } | undefined {
  const file = join(directory, CHAIN_FILE);
  if (!existsSync(file)) return undefined;
  const database = openSqliteReader(file, CHAIN_DATABASE);
  try {
    const blocks = new BlockRepository(database);
    const height = blocks.tipHeight() ?? 0;
    const hash = height === 0 ? undefined : blocks.summary(height)?.hash;
    return hash === undefined ? undefined : { height, hash };
  } finally {
    closeHistory(database);
    database.close();
  }
}

/** Names of the files that hold old blocks of a folder, and what finds them. @throws CodedError as every database of the folder. */
export function readHistoryNames(directory: string): readonly string[] {
  const database = openSqliteReader(join(directory, CHAIN_FILE), CHAIN_DATABASE);
  try {
    const history = sealedHistory(database);
    return [...history.all().map(segmentName), ...RUN_KIND_NAMES.flatMap((kind) => history.runs.runs(kind).map(storedRunName))];
  } finally {
    database.close();
  }
}

/**
 * Looks at the ends of the files that the database of a folder names, which are in the folder of history given.
 * @throws CodedError STORAGE_CORRUPT for the first that is missing, cut off or another one, or as every database of the folder.
 */
export function checkHistoryFiles(directory: string, historyFolder: string): void {
  const database = openSqliteReader(join(directory, CHAIN_FILE), CHAIN_DATABASE);
  const files = diskFiles(historyFolder);
  try {
    const history = sealedHistory(database);
    for (const segment of history.all()) new SegmentFile(files, segment).close();
    // Runs that are missing were merged since.
    for (const run of RUN_KIND_NAMES.flatMap((kind) => history.runs.runs(kind)))
      if (files.stat(storedRunName(run)) !== undefined) new RunFile(files, RUN_KINDS[run.kind], run).close();
  } finally {
    database.close();
  }
}

/** Claims that the node of a folder has collected, in order of arrival. @throws CodedError as every database of the folder. */
export function readClaims(directory: string): readonly StoredClaim[] {
  const database = openSqliteReader(join(directory, MAILBOX_FILE), MAILBOX_DATABASE);
  try {
    // A mailbox of an earlier version has none yet; its node makes them at its next start.
    return database.pragma("user_version", { simple: true }) === 0 ? [] : listClaims(database, MAX_STORED_CLAIMS);
  } finally {
    database.close();
  }
}
