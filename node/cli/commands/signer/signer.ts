// parley signer: a validator's key in a process of its own, and what makes the folders for it.
import { resolve } from "node:path";
import type { Command } from "commander";
import { defaultDataDir } from "#node/config/files/default-data-dir.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { isChainId } from "#shared/protocol/chain/genesis.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface RunOptions {
  readonly dir?: string;
  readonly key?: string;
  readonly chainId?: string;
  readonly listen?: string;
  readonly allow?: string;
  readonly log: string;
}

interface InitOptions {
  readonly dir?: string;
  readonly chainId?: string;
  readonly from?: string;
  readonly json?: boolean;
}

const FINGERPRINT = /^[0-9a-f]{64}$/;

export function addSignerCommands(program: Command, context: CommandContext): void {
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
  ).action((options: RunOptions) => run(options));
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
    const path = nodeTlsPath(resolve(options.dataDir ?? folder));
    const fingerprint = fingerprintOf(readOrCreateTlsIdentity(path, "parley-node"));
    report(context, options, { fingerprint, file: path }, [`Fingerprint ${fingerprint}`]);
  });
}

async function run(options: RunOptions): Promise<void> {
  const { log } = options;
  const listen = listOf(options.listen);
  const folder = folderOf(options);
  const chainId = chainIdOf(options.chainId);
  if (listen.length === 0)
    throw new CodedError("CONFIG_INVALID", "A signer listens somewhere: give --listen with the path of a socket, or host:port");
  if (log !== "text" && log !== "json") throw new CodedError("CONFIG_INVALID", `--log is "${log}": write text or json`);
  const [{ runSigner }, { signerPaths }, { parseSignerAddress }, { plainFingerprint }] = await Promise.all([
    import("#node/signer/run-signer.ts"),
    import("#node/signer/signer-folder.ts"),
    import("#node/config/signer-address.ts"),
    import("#node/signer/tls/tls-files.ts"),
  ]);
  const allowed = listOf(options.allow).map(plainFingerprint);
  const wrong = allowed.find((fingerprint) => !FINGERPRINT.test(fingerprint));
  if (wrong !== undefined) throw new CodedError("CONFIG_INVALID", `--allow is "${wrong}": a fingerprint has 64 hex digits`);
  const keyPath = options.key === undefined ? signerPaths(folder).key : resolve(options.key);
  await runSigner({ dir: folder, keyPath, chainId, listen: listen.map(parseSignerAddress), allowed, log });
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
