// Nodes of this user that run on this machine, found by the files that they leave for programs of their owner.
import { dirname, join } from "node:path";
import envPaths from "env-paths";
import { defaultDataDir } from "./default-data-dir.ts";
import { ENDPOINT_FILE, type LocalEndpoint, readEndpointFile } from "./endpoint-file.ts";
import { systemErrorCode } from "./file-errors.ts";

/** The node of a data folder, or those of the usual places: the command line's folder, then the desktop app's. */
export function runningNodes(dataDir?: string): readonly LocalEndpoint[] {
  const folders = dataDir === undefined ? [defaultDataDir(), desktopDataDir()] : [dataDir];
  return folders.flatMap((folder) => readEndpointFile(join(folder, ENDPOINT_FILE)) ?? []).filter(({ pid }) => isRunning(pid));
}

/** Folder of the node in the desktop app's profile. */
function desktopDataDir(): string {
  const { config, data } = envPaths("Parley", { suffix: "" });
  if (process.platform === "darwin") return join(data, "node");
  return join(process.platform === "win32" ? dirname(config) : config, "node");
}

/** A node that was killed leaves its file behind. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemErrorCode(error) === "EPERM";
  }
}
