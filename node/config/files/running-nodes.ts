// Nodes of this user that run on this machine, found by the files that they leave for programs of their owner.
import { dirname, join } from "node:path";
import envPaths from "env-paths";
import { ENDPOINT_FILE, type NodeEndpoint } from "#shared/desktop/local-endpoint.ts";
import { defaultDataDir } from "./default-data-dir.ts";
import { readEndpointFile } from "./endpoint-file.ts";

/** Where to look, if not in the usual places: a data folder, or a file. */
export interface NodePlace {
  readonly dataDir?: string | undefined;
  readonly endpointFile?: string | undefined;
}

/** The nodes of a place, or those of the usual ones: the command line's data folder, then the desktop app's profile. */
export function runningNodes({ dataDir, endpointFile }: NodePlace = {}): readonly NodeEndpoint[] {
  return endpointFiles(dataDir, endpointFile).flatMap((path) => {
    const endpoint = readEndpointFile(path);
    return endpoint !== undefined && endpoint.node !== null && isRunning(endpoint.pid) ? [endpoint.node] : [];
  });
}

function endpointFiles(dataDir: string | undefined, endpointFile: string | undefined): readonly string[] {
  if (endpointFile !== undefined) return [endpointFile];
  const profile = desktopProfile();
  // The second one of the profile is of a node that was started by hand in the app's data folder.
  const folders = dataDir === undefined ? [defaultDataDir(), profile, join(profile, "node")] : [dataDir];
  return folders.map((folder) => join(folder, ENDPOINT_FILE));
}

/** Folder of the desktop app's profile, as Electron places it. */
function desktopProfile(): string {
  const { config, data } = envPaths("Parley", { suffix: "" });
  if (process.platform === "darwin") return data;
  return process.platform === "win32" ? dirname(config) : config;
}

/** A node that was killed leaves its file behind; a process of another user that has its number now is not the one that wrote it. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
