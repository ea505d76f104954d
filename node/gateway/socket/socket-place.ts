// Where the gateway listens: a Unix socket in a folder that no other user can enter, or a pipe on Windows. Never a port: no browser reaches
// it.
import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { AppsEndpoint } from "#shared/desktop/local-endpoint.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";

/** What the place depends on. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  /** Folder of the profile or the agent. */
  readonly profile: string;
  /** `$XDG_RUNTIME_DIR`, where there is one. */
  readonly runtimeDir: string | undefined;
  readonly temporaryDir: string;
  /** This user; undefined on Windows. */
  readonly uid: number | undefined;
  readonly random: RandomBytes;
}

const SOCKET = "apps.sock";
/** The systems' limits are 104 and 108 bytes. */
const MAX_PATH_BYTES = 100;
const HASH_CHARS = 16;
const PIPE_BYTES = 16;
const SECRET_BYTES = 32;
const CLOSED_TO_OTHERS = 0o077;

/** Makes the folder of the socket, closed to others, and takes away what a killed gateway left there. @throws CodedError in words */
export async function prepareSocket(surroundings: Surroundings): Promise<AppsEndpoint> {
  const { platform, random } = surroundings;
  // The default access list of a pipe lets other users open it: requests carry a secret there.
  if (platform === "win32") return { socket: `\\\\.\\pipe\\parley-${toHex(random(PIPE_BYTES))}`, secret: toHex(random(SECRET_BYTES)) };
  const folder = socketFolder(surroundings);
  makeOwnFolder(folder, surroundings.uid);
  const socket = join(folder, SOCKET);
  if (await isServed(socket))
    throw new CodedError("ADDRESS_IN_USE", "Another Parley of this profile serves programs already: end it, or use another profile");
  rmSync(socket, { force: true });
  return { socket, secret: null };
}

/** The folder for a profile: the session's own on Linux, else in the profile, or in the temporary folder when that path is too long. */
export function socketFolder({ platform, profile, runtimeDir, temporaryDir, uid }: Surroundings): string {
  const hash = createHash("sha256").update(profile).digest("hex").slice(0, HASH_CHARS);
  if (platform === "linux" && runtimeDir !== undefined && fits(join(runtimeDir, `parley-${hash}`)) && isOwn(runtimeDir, uid))
    return join(runtimeDir, `parley-${hash}`);
  const inProfile = join(profile, "apps");
  return fits(inProfile) ? inProfile : join(temporaryDir, `parley-${uid}-${hash}`);
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET)) <= MAX_PATH_BYTES;
}

/** Makes the folder, closed to others. Among the folders of all users another one may have made it first. @throws CodedError STORAGE_UNWRITABLE */
export function makeOwnFolder(folder: string, uid: number | undefined): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid: owner } = lstatSync(folder);
    if (owner === uid && lstatSync(folder).isDirectory()) chmodSync(folder, 0o700);
  } catch (cause) {
    throw new CodedError("STORAGE_UNWRITABLE", `${folder} cannot be used for programs: check permissions and free space`, { cause });
  }
  if (!isOwn(folder, uid))
    throw new CodedError(
      "STORAGE_UNWRITABLE",
      `${folder} is not a folder of this user closed to others: remove it, and programs can ask again`,
    );
}

/** A real folder of this user that others cannot enter. */
function isOwn(folder: string, uid: number | undefined): boolean {
  try {
    const status = lstatSync(folder);
    return status.isDirectory() && status.uid === uid && (status.mode & CLOSED_TO_OTHERS) === 0;
  } catch {
    return false;
  }
}

/** True when a process answers at the socket. */
function isServed(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const attempt = connect(socket);
    attempt.once("connect", () => {
      attempt.destroy();
      resolve(true);
    });
    attempt.once("error", () => resolve(false));
  });
}
