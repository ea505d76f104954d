// A port for the node, chosen once for each start of the app: the page's policy names it, and it outlives restarts of the node.
import { once } from "node:events";
import { createServer } from "node:net";

/** A free port of the loopback interface. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
