// The agent's password: from a file of this user alone, from a credential of systemd, or typed. It is never an argument or a variable.
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Terminal } from "#node/cli/session/terminal.ts";
import type { Environment } from "#node/config/environment.ts";
import { CodedError } from "#shared/errors/coded-error.ts";

const CREDENTIAL = "parley-password";
const CLOSED_TO_OTHERS = 0o077;
const MAX_BYTES = 4_096;

/** Where it may come from. */
export interface PasswordSources {
  readonly passwordFile: string | undefined;
  readonly environment: Pick<Environment, "credentialsDir">;
  readonly terminal: Pick<Terminal, "askSecret">;
}

/** The password that opens the vault. @throws CodedError CONFIG_INVALID when there is none, or others can read its file. */
export async function agentPassword(sources: PasswordSources): Promise<string> {
  return givenPassword(sources) ?? (await sources.terminal.askSecret("Password of the agent: ")) ?? none();
}

/** One for a new vault, typed twice when typed. @throws CodedError CONFIG_INVALID. */
export async function newAgentPassword(sources: PasswordSources): Promise<string> {
  const given = givenPassword(sources);
  if (given !== undefined) return given;
  const first = (await sources.terminal.askSecret("New password: ")) ?? none();
  if ((await sources.terminal.askSecret("Repeat password: ")) !== first)
    throw new CodedError("CONFIG_INVALID", "The two passwords differ: run the command again");
  return first;
}

function givenPassword({ passwordFile, environment: { credentialsDir } }: PasswordSources): string | undefined {
  if (passwordFile !== undefined) return readPassword(passwordFile, true);
  return credentialsDir === undefined ? undefined : readPassword(join(credentialsDir, CREDENTIAL), false);
}

/** systemd mounts credentials for its service alone, with permissions of its own. */
function readPassword(path: string, isRequired: boolean): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const { mode, uid, size } = fstatSync(file);
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & CLOSED_TO_OTHERS) === 0);
    if (isRequired && !isOwn)
      throw new CodedError("CONFIG_INVALID", `Others can read the password file ${path}: make it yours alone (chmod 600)`);
    if (size > MAX_BYTES) throw new CodedError("CONFIG_INVALID", `The password file ${path} is larger than ${MAX_BYTES} bytes`);
    const [password = ""] = readFileSync(file, "utf8").split(/\r?\n/, 1);
    if (password === "") throw new CodedError("CONFIG_INVALID", `The first line of the password file ${path} is empty`);
    return password;
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    if (!isRequired) return undefined;
    throw new CodedError("CONFIG_INVALID", `The password file ${path} cannot be read`, { cause });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function none(): never {
  throw new CodedError(
    "CONFIG_INVALID",
    `The agent needs its password: --password-file FILE, the credential ${CREDENTIAL} of systemd, or a terminal to type it`,
  );
}
