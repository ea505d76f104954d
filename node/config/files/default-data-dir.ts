// The platform's usual folder for the data of a node.
import envPaths from "env-paths";

/** For example `~/.local/share/parley` on Linux, `~/Library/Application Support/parley` on macOS. */
export function defaultDataDir(): string {
  return envPaths("parley", { suffix: "" }).data;
}
