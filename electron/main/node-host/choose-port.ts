// A port for the node, chosen once for each start of the app: the page's policy names it, and it outlives restarts of the node.
import { once } from "node:events";
import { createServer } from "node:net";

/** The port of this start. */
export interface ChosenPort {
  readonly port: number;
  /** The port of the settings, when another program has it: a free one serves until the next start. */
  readonly taken: number | null;
}

/** The preferred port of the loopback interface if it is free; any free one without a wish or when it is taken. */
export async function choosePort(preferred: number | null): Promise<ChosenPort> {
  if (preferred === null) return { port: await tryPort(0), taken: null };
  try {
    return { port: await tryPort(preferred), taken: null };
  } catch {
    return { port: await tryPort(0), taken: preferred };
  }
}

async function tryPort(port: number): Promise<number> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
