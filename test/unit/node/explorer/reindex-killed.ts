// A process of its own that rebuilds the index of a folder and is killed: at a block of it, or right before or after the new file takes the
// place of the old one.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { reindexFolder } from "#node/explorer/reindex/reindex-folder.ts";

const [, , path = "", moment = ""] = process.argv;
const dieAt = (now: string): void => {
  if (now === moment) process.kill(process.pid, "SIGKILL");
};
const { renameSync } = fs;
fs.renameSync = (from, to): void => {
  const isPlaced = String(to).endsWith("chain.db");
  if (isPlaced) dieAt("before");
  renameSync(from, to);
  if (isPlaced) dieAt("after");
};
syncBuiltinESMExports();
reindexFolder(path, { onProgress: (block) => dieAt(String(block)) });
