// A process of its own that takes the lock of a data folder, says so, and holds it until it is killed.
import { lockDataFolder } from "#node/storage/data-folder-lock.ts";

lockDataFolder(process.argv[2] ?? "");
console.log("locked");
setInterval(() => undefined, 1_000);
