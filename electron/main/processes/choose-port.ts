// A port for the node, chosen once for each start of the app: the page's policy names it, and it outlives restarts of the node. Programs of
// the user find it again at the next start.
import { once } from "node:events";
import { createServer } from "node:net";

/** The port of this start. */
export interface ChosenPort {
  readonly port: number;
  /** The port of the settings, when another program has it: another one serves until the next start. */
  readonly taken: number | null;
}

/** What is known of ports. */
export interface PortWishes {
  /** The port of the settings. */
  readonly preferred: number | null;
  /** The one of the first start. */
  readonly kept: number | null;
  /** From 0 up to 1, for the first start. */
  readonly random: () => number;
}

/** Where a first start takes its port: below those that systems give to outgoing connections, which would have it now and then. */
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;
/** How many ports above a taken one are tried. */
const NEXT_PORTS = 50;
const HIGHEST_PORT = 65_535;

/** The port of the settings, else the kept one, else one to keep; where that is taken, the next free one above it. */
export async function choosePort({ preferred, kept, random }: PortWishes): Promise<ChosenPort> {
  const wish = preferred ?? kept ?? FIRST_PORT + Math.floor(random() * (LAST_PORT - FIRST_PORT - NEXT_PORTS));
  for (let port = wish; port <= Math.min(wish + NEXT_PORTS, HIGHEST_PORT); port += 1) {
    const free = await tryPort(port);
    if (free !== undefined) return { port: free, taken: preferred !== null && free !== preferred ? preferred : null };
  }
  return { port: (await tryPort(0)) ?? 0, taken: preferred };
}

/** The port, when it can be listened on. */
async function tryPort(wish: number): Promise<number | undefined> {
  const server = createServer().listen(wish, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return undefined;
  }
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : undefined;
}
