// A process of its own that rolls a folder back by execution and is killed once the second chain is made.
import { rollbackFolder } from "#node/engine/recovery/rollback-folder.ts";

const [, , path = "", height = ""] = process.argv;
await rollbackFolder(path, Number(height), { onProgress: () => process.kill(process.pid, "SIGKILL") });
