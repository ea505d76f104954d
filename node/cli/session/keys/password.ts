// Passwords of key files: from a file, the environment, or the person at the terminal.
import { readFileSync } from "node:fs";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { CommandContext } from "../terminal.ts";

const HOW = "give its password with --password-file FILE or PARLEY_KEY_PASSWORD, or run this at a terminal";

/** Password that opens an existing key file. @throws CodedError CONFIG_INVALID when there is no way to get one. */
export async function askPassword(context: CommandContext, passwordFile: string | undefined): Promise<string> {
  const given = givenPassword(context, passwordFile) ?? (await context.terminal.askSecret("Password of the key file: "));
  if (given === undefined) throw new CodedError("CONFIG_INVALID", `The key file is encrypted: ${HOW}`);
  return given;
}

/** Password for a new key file, typed twice when typed. @throws CodedError CONFIG_INVALID when it is missing, empty or the two differ. */
export async function askNewPassword(context: CommandContext, passwordFile: string | undefined): Promise<string> {
  const given = givenPassword(context, passwordFile) ?? (await typeTwice(context));
  if (given === undefined)
    throw new CodedError("CONFIG_INVALID", `The key file will be encrypted: ${HOW}; --plain writes it without a password, for automation`);
  if (given === "") throw new CodedError("CONFIG_INVALID", "The password is empty: choose one, or store the keys unencrypted with --plain");
  return given;
}

async function typeTwice({ terminal }: CommandContext): Promise<string | undefined> {
  const first = await terminal.askSecret("New password: ");
  if (first === undefined) return undefined;
  const second = await terminal.askSecret("Repeat password: ");
  if (first !== second) throw new CodedError("CONFIG_INVALID", "The two passwords differ: run the command again");
  return first;
}

function givenPassword({ environment }: CommandContext, passwordFile: string | undefined): string | undefined {
  if (passwordFile === undefined) return environment.keyPassword;
  try {
    return readFileSync(passwordFile, "utf8").split(/\r?\n/, 1)[0] ?? "";
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", `The password file ${passwordFile} cannot be read`, { cause });
  }
}
