// endpoint.json: where the node and the gateway of a user's machine serve, and the secrets of this start. A headless node writes it into
// its data folder, the desktop app into its profile; programs of the same user read it, others cannot, and that is what a secret proves.

/** Where the node serves. */
export interface NodeEndpoint {
  /** Address without a trailing slash. */
  readonly url: string;
  /** Opens everything of the node, like its API token. */
  readonly secret: string;
}

/** Where programs that a person let in are served. */
export interface AppsEndpoint {
  /** Path of the Unix socket, or name of the pipe on Windows. */
  readonly socket: string;
  /** What each request carries where the system lets other users open the socket: on Windows. */
  readonly secret: string | null;
}

/** What the file says. */
export interface LocalEndpoint {
  readonly chainId: string;
  /** Null while no program may ask. */
  readonly apps: AppsEndpoint | null;
  /** Null while the node does not serve. */
  readonly node: NodeEndpoint | null;
  /** Process that wrote the file and removes it. */
  readonly pid: number;
}

/** Name of the file in a data folder or a profile. */
export const ENDPOINT_FILE = "endpoint.json";
/** A larger file is none. */
export const MAX_ENDPOINT_BYTES = 4_096;

const VERSION = 1;
const ADDRESS = /^https?:\/\/[^/\s]+$/;

/** Text of the file. */
export function formatLocalEndpoint({ chainId, apps, node, pid }: LocalEndpoint): string {
  return `${JSON.stringify({ version: VERSION, chain_id: chainId, apps, node, pid }, null, 2)}\n`;
}

/** What a text says; undefined when it is malformed or of another version. */
export function parseLocalEndpoint(text: string): LocalEndpoint | undefined {
  const { version, chain_id: chainId, apps: givenApps = null, node: givenNode = null, pid } = fieldsOf(parseJson(text));
  const apps = givenApps === null ? null : parseApps(fieldsOf(givenApps));
  const node = givenNode === null ? null : parseNode(fieldsOf(givenNode));
  if (version !== VERSION || typeof chainId !== "string" || apps === undefined || node === undefined) return undefined;
  return typeof pid === "number" && Number.isSafeInteger(pid) && pid > 0 ? { chainId, apps, node, pid } : undefined;
}

function parseApps({ socket, secret = null }: Readonly<Record<string, unknown>>): AppsEndpoint | undefined {
  if (typeof socket !== "string" || socket === "") return undefined;
  return secret === null || typeof secret === "string" ? { socket, secret } : undefined;
}

function parseNode({ url, secret }: Readonly<Record<string, unknown>>): NodeEndpoint | undefined {
  return typeof url === "string" && ADDRESS.test(url) && typeof secret === "string" ? { url, secret } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
