// parley signer: a validator's key in a process of its own, and what makes the folders for it.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { defaultDataDir } from "#node/config/files/default-data-dir.ts";
import type { SignerSettings } from "#node/signer/run-signer.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { isChainId } from "#shared/protocol/chain/genesis.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { heightValue } from "../../session/option-values.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface RunOptions {
  readonly dir?: string;
  readonly key?: string;
  readonly chainId?: string;
  readonly listen?: string;
  readonly allow?: string;
  readonly log: string;
}

interface ForgetOptions {
  readonly dir?: string;
  readonly above?: number;
  readonly remembered?: number;
  readonly json?: boolean;
}

interface InitOptions {
  readonly dir?: string;
  readonly chainId?: string;
  readonly from?: string;
  readonly json?: boolean;
}

const FINGERPRINT = /^[0-9a-f]{64}$/;

export function addSignerCommands(program: Command, context: CommandContext): void {
  addSignerCommandsOn(program, context, startSigner);
}

/** Adds the commands; `start` serves until it is asked to stop. */
export function addSignerCommandsOn(program: Command, context: CommandContext, start: (settings: SignerSettings) => Promise<void>): void {
  const command = program
    .command("signer")
    .description("sign for a validator in a process of its own, which nodes reach by a socket or by TLS")
    .option("--dir <dir>", "folder of the signer, which remembers what was signed")
    .option("--key <file>", "key of the validator (default validator-key.json in the folder)")
    .option("--chain-id <id>", "the chain that it signs for")
    .option("--listen <addresses>", "path of a socket for nodes of this user, or host:port for TLS; several with commas")
    .option("--allow <fingerprints>", "nodes that a port serves, by the fingerprints of their TLS keys; several with commas")
    .option("--log <format>", "log format on standard error: text or json", "text");
  withExamples(
    command,
    "signer --dir signer --chain-id parley-1 --listen /run/user/1000/parley-signer/sock",
    "signer --dir signer --chain-id parley-1 --listen 10.0.0.5:9300 --allow 3b1f…",
  ).action(async (options: RunOptions) => start(await settingsOf(options)));
  addForget(command, context);
  addInit(command, context);
  addPair(command, context);
}

function addInit(group: Command, context: CommandContext): void {
  const command = group
    .command("init")
    .description("make the folder of a signer: a key, or that of a stopped validator, and a TLS key")
    .option("--dir <dir>", "folder to make or complete")
    .option("--chain-id <id>", "the chain that a new key is for")
    .option("--from <dir>", "data folder of a stopped validator: moves its key here, with what it has signed")
    .option("--json", "print the result as JSON");
  withExamples(command, "signer init --dir signer --chain-id parley-1", "signer init --dir signer --from data").action(
    async (_options: InitOptions, self: Command) => {
      // The command above takes options of the same name for itself.
      const options = self.optsWithGlobals<InitOptions>();
      const dir = folderOf(options);
      const { initSigner } = await import("#node/signer/signer-folder.ts");
      const { publicKey, fingerprint } = initSigner({
        dir,
        chainId: options.chainId === undefined ? undefined : chainIdOf(options.chainId),
        fromDataDir: options.from === undefined ? undefined : resolve(options.from),
        random: context.random,
      });
      const address = formatAddress(publicKey);
      report(context, options, { address, pub_key: publicKey, fingerprint, dir }, [
        `Validator ${address}`,
        `Public key ${publicKey}`,
        `Fingerprint ${fingerprint}`,
      ]);
    },
  );
}

function addPair(group: Command, context: CommandContext): void {
  const folder = defaultDataDir();
  const command = group
    .command("pair")
    .description("make the TLS key with which a node reaches its signer, and print the fingerprint that the signer allows")
    .option("--data-dir <dir>", `data folder of the node (default ${folder})`)
    .option("--json", "print the result as JSON");
  withExamples(command, "signer pair --data-dir data").action(async (options: { readonly dataDir?: string; readonly json?: boolean }) => {
    const [{ nodeTlsPath }, { fingerprintOf, readOrCreateTlsIdentity }] = await Promise.all([
      import("#node/signer/signer-folder.ts"),
      import("#node/signer/tls/tls-files.ts"),
    ]);
    const dataDir = resolve(options.dataDir ?? folder);
    // A fingerprint that the signer allows, of a key that no node has, would be found out by the validator that does not vote.
    if (!existsSync(dataDir))
      throw new CodedError(
        "CONFIG_INVALID",
        `There is no folder ${dataDir}: name the data folder of the node with --data-dir, or make it first for a new node`,
      );
    const path = nodeTlsPath(dataDir);
    const fingerprint = fingerprintOf(readOrCreateTlsIdentity(path, "parley-node"));
    report(context, options, { fingerprint, file: path }, [`Fingerprint ${fingerprint}`]);
  });
}

function addForget(group: Command, context: CommandContext): void {
  const command = group
    .command("forget")
    .description(
      "take back what a signer remembers of one height by mistake; a wrong use of it contradicts earlier votes and costs the bond",
    )
    .option("--dir <dir>", "folder of the stopped signer")
    .option("--above <height>", "the key has certainly signed nothing above this height but what was a mistake", heightValue)
    .option("--remembered <height>", "the height that it remembers, as this command prints it without the option", heightValue)
    .option("--json", "print the result as JSON");
  withExamples(command, "signer forget --dir signer --above 81230", "signer forget --dir signer --above 81230 --remembered 9000000").action(
    async (_options: ForgetOptions, self: Command) => {
      const options = self.optsWithGlobals<ForgetOptions>();
      const { forgetAbove } = await import("#node/signer/forget.ts");
      if (options.above === undefined)
        throw new CodedError("CONFIG_INVALID", "Name with --above the height above which the key has signed nothing but the mistake");
      const { from, to, backup } = forgetAbove(folderOf(options), options.above, options.remembered);
      report(context, options, { remembered: from, above: to, backup }, [
        `Remembered ${from}; from now on: nothing signed above height ${to}`,
        `What it remembered before is in ${backup}`,
        "Start the node with a new data folder: its own is ahead of the signer now, and does not vote with it",
      ]);
    },
  );
}

async function startSigner(settings: SignerSettings): Promise<void> {
  const { runSigner } = await import("#node/signer/run-signer.ts");
  await runSigner(settings);
}

async function settingsOf(options: RunOptions): Promise<SignerSettings> {
  const { log } = options;
  const listen = listOf(options.listen);
  const folder = folderOf(options);
  const chainId = chainIdOf(options.chainId);
  if (listen.length === 0)
    throw new CodedError("CONFIG_INVALID", "A signer listens somewhere: give --listen with the path of a socket, or host:port");
  if (log !== "text" && log !== "json") throw new CodedError("CONFIG_INVALID", `--log is "${log}": write text or json`);
  const [{ signerPaths }, { parseSignerAddress }, { plainFingerprint }] = await Promise.all([
    import("#node/signer/signer-folder.ts"),
    import("#node/config/signer-address.ts"),
    import("#node/signer/tls/tls-files.ts"),
  ]);
  const allowed = listOf(options.allow).map(plainFingerprint);
  const wrong = allowed.find((fingerprint) => !FINGERPRINT.test(fingerprint));
  if (wrong !== undefined) throw new CodedError("CONFIG_INVALID", `--allow is "${wrong}": a fingerprint has 64 hex digits`);
  const keyPath = options.key === undefined ? signerPaths(folder).key : resolve(options.key);
  return { dir: folder, keyPath, chainId, listen: listen.map(parseSignerAddress), allowed, log };
}

function folderOf({ dir }: { readonly dir?: string }): string {
  if (dir === undefined) throw new CodedError("CONFIG_INVALID", "A signer has a folder of its own: name it with --dir");
  return resolve(dir);
}

function chainIdOf(text: string | undefined): string {
  if (isChainId(text)) return text;
  throw new CodedError("CONFIG_INVALID", "A signer signs for one chain: name it with --chain-id, as /api/network-info of a node shows it");
}

function listOf(text = ""): readonly string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
