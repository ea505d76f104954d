// Loaded before a node's program: a folder of an older version is brought up to date so slowly that a test can end it at any block.
import { CHAIN_VERSION_0 } from "#node/storage/chain/migration/chain-version-0.ts";
import type { Rewrite } from "#node/storage/chain/migration/rewrite-database.ts";

const BLOCK_MS = 60;
const { copy } = CHAIN_VERSION_0;
const still = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

const slowly: Rewrite["copy"] = (database, onProgress) =>
  copy(database, (done, total) => {
    Atomics.wait(still, 0, 0, BLOCK_MS);
    onProgress(done, total);
  });
Object.assign(CHAIN_VERSION_0, { copy: slowly });
