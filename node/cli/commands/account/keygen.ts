// parley keygen: a new key file.
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { toHex } from "#shared/util/bytes.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { askNewPassword } from "../../session/keys/password.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface KeygenOptions {
  readonly out: string;
  readonly plain?: boolean;
  readonly phrase?: boolean;
  readonly passwordFile?: string;
  readonly json?: boolean;
}

export function addKeygenCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("keygen")
    .description("create a new identity and write its key file")
    .requiredOption("--out <file>", "where to write the key file; it must not exist yet")
    .option("--password-file <file>", "file whose first line is the new password (else PARLEY_KEY_PASSWORD, else prompt)")
    .option("--plain", "store the keys unencrypted, without a password (for automation)")
    .option("--phrase", "print the 24 words of the recovery phrase, once")
    .option("--json", "print the result as JSON");
  withExamples(command, "keygen --out alice.json --phrase", "keygen --out robot.json --plain --json").action((options: KeygenOptions) =>
    keygen(context, options),
  );
}

async function keygen(context: CommandContext, options: KeygenOptions): Promise<void> {
  if (existsSync(options.out)) throw new CodedError("CONFIG_INVALID", `${options.out} already exists: choose another --out`);
  const password = options.plain === true ? undefined : await askNewPassword(context, options.passwordFile);
  // Ciphers and the list of words: help does without them.
  const [{ masterSeed }, { ENTROPY_BYTES, phraseOfEntropy, seedOfPhrase }, { personalKeys, writeKeyFile }] = await Promise.all([
    import("#shared/keyring/vault/derivation.ts"),
    import("#shared/keyring/vault/phrase.ts"),
    import("../../session/keys/opened-key-file.ts"),
  ]);
  const words = phraseOfEntropy(context.random(ENTROPY_BYTES));
  const keys = personalKeys(masterSeed(seedOfPhrase(words)), context.random(32));
  await writeKeyFile(options.out, keys, password, context.random);
  if (password === undefined)
    context.terminal.err(`Warning: ${options.out} stores the keys unencrypted: anyone who can read it can spend from the account.`);
  const result = {
    address: formatAddress(keys.publicKey),
    pub_key: keys.publicKey,
    x25519_pub: toHex(keys.device.publicKey),
    key_file: options.out,
    ...(options.phrase === true ? { phrase: words.join(" ") } : {}),
  };
  const lines = [result.address];
  if (options.phrase === true) lines.push(words.join(" "));
  report(context, options, result, lines);
}
