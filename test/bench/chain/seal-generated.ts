// Moves old blocks of a chain that is being made into files, as a running node does, but without a thread: a long chain would fill chain.db.

import { indexSource } from "#node/storage/chain/sealing/index-source.ts";
import { sealSource } from "#node/storage/chain/sealing/seal-source.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { indexSegments } from "#node/storage/history/sealing/index-segments.ts";
import { removeUnnamed, sealNext } from "#node/storage/history/sealing/seal-segment.ts";
import { closeHistory, sealedHistory } from "#node/storage/history/sealing/sealed-history.ts";
import { openSqliteDatabase } from "#node/storage/sqlite-database.ts";

/** Seals what fills segments, over a connection of its own. */
export function sealGenerated(file: string): void {
  const database = openSqliteDatabase(file, CHAIN_DATABASE);
  try {
    const history = sealedHistory(database);
    const { files, runs } = history;
    do indexSegments(files, { source: indexSource(database), segments: history.all(), list: runs });
    while (sealNext(files, sealSource(database), history) !== undefined);
    removeUnnamed(files, history, runs);
  } finally {
    closeHistory(database);
    database.close();
  }
}
