// Finds the Parley of this user that serves programs, by the file that it leaves for them.
import { dirname } from "node:path";
import { MAX_ENDPOINT_BYTES, parseLocalEndpoint } from "#shared/desktop/local-endpoint.ts";
import { ParleyError } from "./client-error.ts";
import { isOwnFolder, readOwnFile } from "./own-file.ts";

/** Where programs are served, and what else the file says. */
export interface FoundParley {
  readonly socket: string;
  /** Sent with each request where the system lets other users open the socket. */
  readonly secret: string | null;
  readonly chainId: string;
  /** Address of the node, for what anyone may read of the chain; null while it does not serve. */
  readonly nodeUrl: string | null;
}

/** The first of some files that is believed and names a place. Read again for each request: the place changes with each start. */
export function findParley(files: readonly string[]): FoundParley {
  const looked = files.map((path) => ({ path, found: lookAt(path) }));
  for (const { found } of looked) if (typeof found === "object") return found;
  if (looked.some(({ found }) => found === "closed"))
    throw new ParleyError("UNREACHABLE", "Parley runs, but programs may not ask yet: switch on Programs may ask in Settings › Apps");
  const foreign = looked.find(({ found }) => found === "foreign");
  if (foreign === undefined)
    throw new ParleyError("UNREACHABLE", "No Parley of this user runs: start the app, or name its endpoint.json with PARLEY_ENDPOINT");
  throw new ParleyError(
    "ENDPOINT_FILE",
    `${foreign.path} is not believed: it must be a regular file of this user alone (0600), written by Parley, in a folder closed to others (0700)`,
  );
}

/** `closed`: a Parley without programs; `none`: no Parley, or one that ended; `foreign`: another user may have made or read it. */
function lookAt(path: string): FoundParley | "closed" | "none" | "foreign" {
  const read = readOwnFile(path, MAX_ENDPOINT_BYTES);
  if ("problem" in read) return read.problem === "missing" ? "none" : "foreign";
  const endpoint = isOwnFolder(dirname(path)) ? parseLocalEndpoint(read.text) : undefined;
  if (endpoint === undefined) return "foreign";
  const { apps, chainId, node, pid } = endpoint;
  if (!isRunning(pid)) return "none";
  return apps === null ? "closed" : { ...apps, chainId, nodeUrl: node?.url ?? null };
}

/** A Parley that was killed leaves its file behind; a process of another user that has its number now is not the one that wrote it. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
