// The platform's usual places: for the data of a node, and for what the command line keeps for its user.
import { join } from "node:path";
import envPaths from "env-paths";

/** For example `~/.local/share/parley` on Linux, `~/Library/Application Support/parley` on macOS. */
export function defaultDataDir(): string {
  return envPaths("parley", { suffix: "" }).data;
}

/** Names that the user gave to accounts, for example in `~/.config/parley/address-book.json` on Linux. */
export function addressBookFile(): string {
  return join(envPaths("parley", { suffix: "" }).config, "address-book.json");
}
