// A TCP port of the loopback interface that is free.
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that systems give to outgoing connections, which could take one before its owner listens. */
const FIRST_PORT = 10_240;
const LAST_PORT = 32_767;
const ATTEMPTS = 50;

/** A free port. Another process could take it before its owner listens; drawing from thousands makes that rare. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await canListen(port)) return port;
  }
  throw new Error(`None of ${ATTEMPTS} ports was free`);
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
