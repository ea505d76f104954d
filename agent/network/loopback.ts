// A port of the loopback interface beside the socket, for programs in containers of this machine that share its network. Other users reach it,
// so each request bears the secret of a file that is this user's alone.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import type { GatewayOptions } from "#node/gateway/server.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { isHex, toHex } from "#shared/util/bytes.ts";
import { hostRandom } from "#shared/util/host.ts";

/** An address to listen on. */
export interface LoopbackAddress {
  readonly host: string;
  readonly port: number;
}

/** File of the secret in the agent's folder. */
export const LISTEN_SECRET_FILE = "listen-secret";
const SECRET_BYTES = 32;
const ADDRESS = /^(127\.0\.0\.1|\[::1\]|localhost):(\d{1,5})$/;
const MAX_PORT = 65_535;

/** Reads `127.0.0.1:7070`. @throws CodedError CONFIG_INVALID for any other interface. */
export function parseLoopback(text: string): LoopbackAddress {
  const [, host = "", digits = ""] = ADDRESS.exec(text) ?? [];
  const port = Number(digits);
  if (host === "" || port < 1 || port > MAX_PORT)
    throw new CodedError("CONFIG_INVALID", `--listen takes a port of the loopback interface, such as 127.0.0.1:7070, and not "${text}"`);
  return { host: host === "[::1]" ? "::1" : "127.0.0.1", port };
}

/** Where the gateway listens, with the secret that stays over restarts. */
export function loopbackEndpoint(folder: string, listen: LoopbackAddress): Pick<GatewayOptions, "endpoint" | "listen"> {
  return { endpoint: { socket: "", secret: secretIn(folder) }, listen };
}

function secretIn(folder: string): string {
  const path = join(folder, LISTEN_SECRET_FILE);
  try {
    const known = readFileSync(path, "utf8").trim();
    if (isHex(known, SECRET_BYTES)) return known;
  } catch {
    // There is none yet.
  }
  const secret = toHex(hostRandom(SECRET_BYTES));
  writeFileAtomic(path, `${secret}\n`, { mode: 0o600 });
  return secret;
}
