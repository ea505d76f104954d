// A process of its own that brings a folder up to date and is killed at a block of it.
import { openChainDatabase } from "#node/storage/chain/chain-database.ts";

const [, , path = "", chainId = "", genesisHash = "", block = ""] = process.argv;
openChainDatabase(path, { chainId, genesisHash }, (done) => {
  if (done === Number(block)) process.kill(process.pid, "SIGKILL");
});
