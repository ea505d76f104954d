// Exit codes of every command. docs/command-line.md lists them.
import { HttpError } from "#shared/api/client.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";

/** What an exit code says. */
export const EXIT_CODES = {
  ok: 0,
  /** The command ran and failed: the node refused, a password is wrong, something broke. */
  failure: 1,
  /** A flag, an argument, a variable or the configuration is wrong. */
  usage: 2,
  /** The data folder cannot be used: locked, foreign, newer, damaged, full or not writable. */
  dataFolder: 3,
  portTaken: 4,
  /** The node does not answer. */
  unreachable: 5,
  /** Voting from this data folder could contradict what its key has signed: without validator mode it can be used. */
  unsafeVoting: 6,
} as const;

/** Exit code of the error that ended a command. */
export function exitCodeOf(error: unknown): number {
  if (!isCodedError(error) || error instanceof HttpError) return EXIT_CODES.failure;
  if (error.code.startsWith("STORAGE_")) return EXIT_CODES.dataFolder;
  if (error.code === "VALIDATOR_UNSAFE") return EXIT_CODES.unsafeVoting;
  if (error.code === "CONFIG_INVALID" || error.code === "BAD_REQUEST") return EXIT_CODES.usage;
  if (error.code === "ADDRESS_IN_USE") return EXIT_CODES.portTaken;
  return error.code === "UNAVAILABLE" ? EXIT_CODES.unreachable : EXIT_CODES.failure;
}
