// A process of its own that rebuilds the index of a folder and is killed at a block of it.
import { reindexFolder } from "#node/explorer/reindex/reindex-folder.ts";

const [, , path = "", height = ""] = process.argv;
reindexFolder(path, {
  onProgress: (block) => {
    if (block === Number(height)) process.kill(process.pid, "SIGKILL");
  },
});
