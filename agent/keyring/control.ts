// How commands of the same user reach an agent that runs: a socket in its folder, which no other user enters; each line bears the secret of
// control.json all the same. It takes what is in the table of grants, and the end.
import { createHash, timingSafeEqual } from "node:crypto";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { makeOwnFolder, socketFolder } from "#node/gateway/socket/socket-place.ts";
import { createMethodClient, serveMethods } from "#shared/apps/messages/method-port.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { KeyringPort } from "#shared/keyring/port.ts";
import { toHex } from "#shared/util/bytes.ts";
import { hostRandom } from "#shared/util/host.ts";
import { GRANTS_METHODS, type GrantsApi } from "./grants.ts";

const FILE = "control.json";
const SOCKET = "control.sock";
const SECRET_BYTES = 32;
/** One line: a grant with all its scopes is far smaller. */
const MAX_LINE_BYTES = 262_144;
/** Commands that are served at the same time. */
const MAX_CONNECTIONS = 8;

/** Serves commands until the returned function is called. */
export async function serveControl(folder: string, runtimeDir: string | undefined, grants: GrantsApi): Promise<() => void> {
  const secret = toHex(hostRandom(SECRET_BYTES));
  const path = controlPath(folder, runtimeDir);
  if (process.platform !== "win32") {
    // Commands send the password there: a folder that another user made in its place is refused.
    makeOwnFolder(dirname(path), process.getuid?.());
    // The lock of the folder says that no other agent serves here.
    rmSync(path, { force: true });
  }
  const server = createServer((socket) => {
    serveMethods<GrantsApi, never>(linePort(socket, secret), GRANTS_METHODS, grants);
  });
  server.maxConnections = MAX_CONNECTIONS;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(path, () => resolve());
  await promise;
  if (process.platform !== "win32") chmodSync(path, 0o600);
  writeFileAtomic(join(folder, FILE), `${JSON.stringify({ version: 1, socket: path, secret })}\n`, { mode: 0o600 });
  return (): void => {
    server.close();
    rmSync(join(folder, FILE), { force: true });
  };
}

/** Grants of the agent that runs in a folder. @throws CodedError UNAVAILABLE when none responds. */
export async function connectControl(folder: string): Promise<GrantsApi & { close(): void }> {
  const { socket: path, secret } = readControl(folder);
  const socket = connect(path);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once("connect", () => resolve()).once("error", (cause) => reject(away(cause)));
  await promise;
  const client = createMethodClient<GrantsApi, never>(linePort(socket, secret), GRANTS_METHODS);
  socket.on("close", () => client.close());
  return { ...client.api, close: () => void socket.end() };
}

function controlPath(folder: string, runtimeDir: string | undefined): string {
  if (process.platform === "win32") return `\\\\.\\pipe\\parley-agent-${toHex(hostRandom(16))}`;
  const surroundings = { platform: process.platform, profile: folder, runtimeDir, temporaryDir: tmpdir(), uid: process.getuid?.() };
  return join(socketFolder({ ...surroundings, random: hostRandom }), SOCKET);
}

function readControl(folder: string): { readonly socket: string; readonly secret: string } {
  try {
    const { socket, secret } = JSON.parse(readFileSync(join(folder, FILE), "utf8")) as Readonly<Record<string, unknown>>;
    if (typeof socket === "string" && typeof secret === "string") return { socket, secret };
  } catch (cause) {
    throw away(cause);
  }
  throw away(undefined);
}

function away(cause: unknown): CodedError {
  return new CodedError("UNAVAILABLE", "The agent of this folder is starting or ending: try again in a moment", { cause });
}

/** A port of lines of JSON, each with the secret; anything else ends the connection. */
function linePort(socket: Socket, secret: string): KeyringPort {
  socket.on("error", () => socket.destroy()).setEncoding("utf8");
  const expected = digestOf(secret);
  return {
    post: (message): void => {
      if (!socket.destroyed) socket.write(`${JSON.stringify({ secret, message })}\n`);
    },
    listen: (listener): (() => void) => {
      let text = "";
      const onData = (chunk: string): void => {
        text += chunk;
        const lines = text.split("\n");
        text = lines.pop() ?? "";
        if (text.length > MAX_LINE_BYTES) socket.destroy();
        for (const line of lines) {
          const message = parseLine(line, expected);
          if (message === undefined) socket.destroy();
          else listener(message);
        }
      };
      socket.on("data", onData);
      return (): void => void socket.off("data", onData);
    },
  };
}

function parseLine(line: string, expected: Buffer): object | undefined {
  try {
    const { secret, message } = JSON.parse(line) as { readonly secret?: unknown; readonly message?: unknown };
    const isGenuine = typeof secret === "string" && timingSafeEqual(digestOf(secret), expected);
    return isGenuine && typeof message === "object" && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
