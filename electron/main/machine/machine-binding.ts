// Which computer a node's data folder belongs to. A copy of it on another one holds the same key: both voting would contradict each
// other and cost the bond, so a copy follows the chain and does not vote until its owner says that it is the only one.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = "machine.json";

/** The binding of one data folder. */
export interface MachineBinding {
  /** True when the folder was used on another computer before. A folder that was never bound belongs to the computer that starts it. */
  isCopied(dataFolder: string): boolean;
  /** Binds a folder that is not bound yet; called once a node serves from it. */
  bind(dataFolder: string): void;
  /** The owner says that this copy is the only one. */
  take(dataFolder: string): void;
}

/** Bindings to the computer with this id. A file that cannot be read counts as another computer's: no vote by mistake. */
export function createMachineBinding(machine: string): MachineBinding {
  const write = (dataFolder: string): void => {
    const path = join(dataFolder, FILE);
    writeFileSync(`${path}.new`, `${JSON.stringify({ machine })}\n`, { mode: 0o600, flush: true });
    renameSync(`${path}.new`, path);
  };
  return {
    isCopied: (dataFolder) => existsSync(join(dataFolder, FILE)) && readMachine(join(dataFolder, FILE)) !== machine,
    bind: (dataFolder): void => {
      if (!existsSync(join(dataFolder, FILE))) write(dataFolder);
    },
    take: write,
  };
}

function readMachine(path: string): unknown {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null && "machine" in value ? value.machine : undefined;
  } catch {
    return undefined;
  }
}
