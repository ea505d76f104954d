// What the client commands share: options, the node's client, the support check, keys, and reporting a result.
import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { supportProblem } from "#shared/api/node-support.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { deviceKeyOf, isSealed, type KeyFile, type PersonalKeys, readKeyFile, type SigningKey } from "./keys/key-file.ts";
import { askPassword } from "./keys/password.ts";
import { terminalJson } from "./printing/terminal-json.ts";
import type { CommandContext } from "./terminal.ts";

/** Options of every client command. */
export interface ClientOptions {
  readonly node?: string;
  readonly dataDir?: string;
  readonly endpoint?: string;
  readonly tokenFile?: string;
  /** Refused: other users of a machine see the arguments of its processes. */
  readonly token?: string;
  readonly json?: boolean;
}

/** Options of commands that read a key file. */
export interface KeyOptions {
  readonly key: string;
  readonly passwordFile?: string;
}

const DEFAULT_NODE = "http://127.0.0.1:8080";
const MAX_TOKEN_CHARS = 4_096;
/** What a header can carry. */
const TOKEN = new RegExp(`^[\\x21-\\x7e]{1,${MAX_TOKEN_CHARS}}$`);

/** Adds --node, --data-dir, --endpoint, --token-file and --json. */
export function withClientOptions(command: Command): Command {
  return command
    .option("--node <url>", `address of the node (default: your node on this machine, else ${DEFAULT_NODE})`)
    .option("--data-dir <dir>", "data folder of your node on this machine, where it is not in its usual place")
    .option("--endpoint <file>", "endpoint.json of your node on this machine, where it is not in its usual place")
    .option("--token-file <file>", "file whose first line is the node's API token (else your own node's secret, else SVC_API_TOKEN)")
    .addOption(new Option("--token <token>").hideHelp())
    .option("--json", "print the result as JSON");
}

/** Adds --key and --password-file. */
export function withKeyOptions(command: Command): Command {
  return command
    .requiredOption("--key <file>", "key file, made with parley keygen (or a node's own, keys/node-key.json in its folder)")
    .option("--password-file <file>", "file whose first line is the key file's password (else PARLEY_KEY_PASSWORD, else prompt)");
}

/** Client of the node that the options name. A node that lacks what this program relies on is named in a warning. */
export async function connect(context: CommandContext, options: ClientOptions): Promise<NodeClient> {
  const { baseUrl, token } = target(context, options);
  const client = createNodeClient({ baseUrl, fetch: context.fetch, ...(token === undefined ? {} : { token }) });
  const version = await client.getVersion({}).catch(() => undefined);
  const problem = version === undefined ? undefined : supportProblem(version);
  if (problem !== undefined) context.terminal.err(`Warning: the node at ${baseUrl} is not supported: ${problem}. Continuing anyway.`);
  return client;
}

/** Address and token of the node that the options mean. The secret of an own node goes to its own address only. */
function target(context: CommandContext, options: ClientOptions): { readonly baseUrl: string; readonly token: string | undefined } {
  const { node, dataDir, endpoint: endpointFile, tokenFile } = options;
  if (options.token !== undefined)
    throw new CodedError(
      "CONFIG_INVALID",
      "Other users see what is on a command line: use --token-file FILE or SVC_API_TOKEN for the token",
    );
  if (dataDir !== undefined && endpointFile !== undefined)
    throw new CodedError("CONFIG_INVALID", "--data-dir and --endpoint name one node each: leave one of them out");
  const own = context.ownNodes?.({ dataDir, endpointFile }) ?? [];
  if (node === undefined && own.length === 0) assertUsualPlace(dataDir, endpointFile);
  const baseUrl = nodeUrl(node ?? own[0]?.url ?? DEFAULT_NODE);
  const token = tokenFile === undefined ? undefined : readToken(tokenFile);
  return { baseUrl, token: token ?? own.find(({ url }) => url === baseUrl)?.secret ?? context.environment.apiToken };
}

/** @throws CodedError when a place was named, in which there is no node */
function assertUsualPlace(dataDir: string | undefined, endpointFile: string | undefined): void {
  if (dataDir !== undefined) throw new CodedError("UNAVAILABLE", `No node of yours runs in ${dataDir}.`);
  if (endpointFile !== undefined)
    throw new CodedError(
      "UNAVAILABLE",
      `No node of yours runs by ${endpointFile}: it must be a file that this user alone can read, in a folder that is closed to others too.`,
    );
}

/** Token of a file's first line. @throws CodedError CONFIG_INVALID without a word of what is in the file */
export function readToken(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", `The token file ${path} cannot be read`, { cause });
  }
  const token =
    text
      .slice(0, MAX_TOKEN_CHARS + 1)
      .split(/\r?\n/, 1)[0]
      ?.trim() ?? "";
  if (!TOKEN.test(token)) throw new CodedError("CONFIG_INVALID", `The first line of ${path} is no token`);
  return token;
}

/** Public part of the key file that the options name. */
export function publicKeys(options: KeyOptions): KeyFile {
  return readKeyFile(options.key);
}

/** Keys of the person's file that the options name; asks for its password when it is sealed. */
export async function unlockKeys(context: CommandContext, options: KeyOptions): Promise<PersonalKeys> {
  const file = publicKeys(options);
  deviceKeyOf(file);
  const { openKeyFile } = await import("./keys/opened-key-file.ts");
  return await openKeyFile(file, await passwordOf(context, file, options));
}

/** Signing key of the file that the options name, a person's or a node's; asks for its password when it is sealed. */
export async function unlockSigningKey(context: CommandContext, options: KeyOptions): Promise<SigningKey> {
  const file = publicKeys(options);
  const { openSigningKey } = await import("./keys/opened-key-file.ts");
  return await openSigningKey(file, await passwordOf(context, file, options));
}

async function passwordOf(context: CommandContext, file: KeyFile, { passwordFile }: KeyOptions): Promise<string | undefined> {
  return isSealed(file) ? await askPassword(context, passwordFile) : undefined;
}

/** Prints a result: one JSON document with --json, else lines for people. */
export function report(context: CommandContext, options: { readonly json?: boolean }, value: unknown, lines: readonly string[]): void {
  if (options.json === true) context.terminal.out(terminalJson(value));
  else for (const line of lines) context.terminal.out(line);
}

function nodeUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CodedError("CONFIG_INVALID", `"${text}" is not a node address: use the form ${DEFAULT_NODE}`);
  return text.replace(/\/+$/, "");
}
