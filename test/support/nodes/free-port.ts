// TCP ports of the loopback interface that are free, for programs that are given where to listen.
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that systems give to outgoing connections, which could take one before its owner listens. */
const FIRST_PORT = 10_240;
const LAST_PORT = 32_767;
const ATTEMPTS = 50;
/** Test files that run side by side draw from parts of their own: none takes a port between another's look and its use. */
const PARTS = 8;
const PART_PORTS = Math.floor((LAST_PORT + 1 - FIRST_PORT) / PARTS);
const partStart = FIRST_PORT + (Number(process.env.VITEST_POOL_ID ?? 0) % PARTS) * PART_PORTS;

/** Next port within the part. One process draws none twice before it has drawn all. */
let next = randomInt(PART_PORTS);

/** A free port. */
export async function findFreePort(): Promise<number> {
  return await findFreePorts([0]);
}

/** A port that is free together with those at the given distances above it; one of the distances is 0. */
export async function findFreePorts(distances: readonly number[]): Promise<number> {
  const length = Math.max(...distances) + 1;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (next + length > PART_PORTS) next = 0;
    const port = partStart + next;
    next += length;
    if ((await Promise.all(distances.map((distance) => canListen(port + distance)))).every(Boolean)) return port;
  }
  throw new Error(`No ports were free at ${ATTEMPTS} places`);
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
