// endpoint.json of a data folder: where a running node serves, and the secret of this start that opens all of it. Programs of the same
// user read it; other users cannot, and that is what the secret proves.
import { closeSync, constants, fstatSync, openSync, readFileSync, rmSync } from "node:fs";
import { writeFileAtomic } from "./write-file-atomic.ts";

/** A node of this machine and user. */
export interface LocalEndpoint {
  readonly chainId: string;
  /** Address without a trailing slash. */
  readonly url: string;
  readonly secret: string;
  /** Process of the node. */
  readonly pid: number;
}

/** Name of the file in a data folder. */
export const ENDPOINT_FILE = "endpoint.json";

const VERSION = 1;
const MAX_BYTES = 4_096;
const CLOSED_TO_OTHERS = 0o077;

/** Writes the file by rename, readable by this user only. @throws CodedError as every file of the folder */
export function writeEndpointFile(path: string, { chainId, url, secret, pid }: LocalEndpoint): void {
  writeFileAtomic(path, `${JSON.stringify({ version: VERSION, chain_id: chainId, node: { url, secret }, pid }, null, 2)}\n`, {
    mode: 0o600,
  });
}

/** Removes the file unless another node has written it since. Never throws: a file that stays names a secret that opens nothing. */
export function removeEndpointFile(path: string, secret: string): void {
  try {
    if (parseEndpoint(readFileSync(path, "utf8"))?.secret === secret) rmSync(path, { force: true });
  } catch {
    // Gone already, or on a disk that is.
  }
}

/** What the file says; undefined when there is none, when it is not a file of this user closed to all others, or malformed. */
export function readEndpointFile(path: string): LocalEndpoint | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    const { uid, mode, size } = fstatSync(file);
    const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & CLOSED_TO_OTHERS) === 0);
    if (!isOurs || size > MAX_BYTES || (mode & constants.S_IFMT) !== constants.S_IFREG) return undefined;
    return parseEndpoint(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function parseEndpoint(text: string): LocalEndpoint | undefined {
  const { version, chain_id: chainId, node, pid } = objectOf(JSON.parse(text));
  const { url, secret } = objectOf(node);
  if (version !== VERSION || typeof chainId !== "string" || typeof url !== "string" || typeof secret !== "string") return undefined;
  return typeof pid === "number" && URL.canParse(url) ? { chainId, url, secret, pid } : undefined;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
