// Where the shell finds its own files and stores what belongs to the person.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ENDPOINT_FILE } from "#shared/desktop/local-endpoint.ts";

const here = dirname(fileURLToPath(import.meta.url));

/** Files of the program, as built. */
export const PROGRAM = {
  node: join(here, "..", "node", "main.mjs"),
  contracts: join(here, "..", "node", "contract-reader.mjs"),
  keyring: join(here, "..", "keyring", "main.mjs"),
  gateway: join(here, "..", "gateway", "main.mjs"),
  preload: join(here, "..", "preload", "preload.cjs"),
  confirmationPreload: join(here, "..", "preload", "confirmation.cjs"),
  approvalPreload: join(here, "..", "preload", "approval.cjs"),
  renderer: join(here, "..", "renderer"),
  trayIcon: join(here, "..", "icons", "tray.png"),
} as const;

/** Files of the person's profile. */
export interface ProfilePaths {
  readonly settings: string;
  readonly windowState: string;
  readonly nodePort: string;
  readonly endpoint: string;
  readonly logs: string;
  readonly vault: string;
  readonly nodeData: string;
}

/** Layout of a profile folder. */
export function profilePaths(userData: string): ProfilePaths {
  return {
    settings: join(userData, "settings.json"),
    windowState: join(userData, "window.json"),
    nodePort: join(userData, "node-port"),
    endpoint: join(userData, ENDPOINT_FILE),
    logs: join(userData, "logs"),
    vault: join(userData, "keyring"),
    nodeData: join(userData, "node"),
  };
}

/**
 * Flags for a data folder: a fresh one at the default path becomes a development network until the person joins another. A chosen
 * folder without a chain is a disk that is not there or a move that was cut off: nothing is created in it, and the node says so.
 */
export function firstStartFlags(chosen: string | null, dataFolder: string): readonly string[] {
  return chosen !== null || existsSync(join(dataFolder, "genesis.json")) ? [] : ["--dev"];
}
