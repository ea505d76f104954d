// A TCP port of the loopback interface that nobody listens on.
import { once } from "node:events";
import { createServer } from "node:net";

/** Asks the system for a free port. Another process could take it in between, so callers start at once. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("The system gave no port");
  return address.port;
}
