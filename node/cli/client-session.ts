// What the client commands share: options, the node's client, the support check, keys, and submitting a transaction.
import type { Command } from "commander";
import { createNodeClient, HttpError, type NodeClient } from "#shared/api/client.ts";
import { supportProblem } from "#shared/api/node-support.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { draftOfIntent } from "#shared/keyring/intent-transaction.ts";
import type { Intent } from "#shared/keyring/intents.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/build-transaction.ts";
import { toHex } from "#shared/util/bytes.ts";
import { type KeyFile, openKeyFile, type PersonalKeys, readKeyFile } from "./key-file.ts";
import { askPassword } from "./password.ts";
import type { CommandContext } from "./terminal.ts";

/** Options of every client command. */
export interface ClientOptions {
  readonly node: string;
  readonly token?: string;
  readonly json?: boolean;
}

/** Options of commands that read a key file. */
export interface KeyOptions {
  readonly key: string;
  readonly passwordFile?: string;
}

/** Options of commands that submit a transaction. */
export interface SubmitOptions extends ClientOptions, KeyOptions {
  readonly fee?: number;
  readonly wait?: boolean;
}

/** Result of a submission; `block_index` and the final status once it is in a block. */
export interface Submitted {
  readonly id: string;
  readonly status: string;
  readonly block_index?: number;
  readonly warning?: string;
}

const DEFAULT_NODE = "http://127.0.0.1:8080";
const WAIT_LIMIT_MS = 60_000;
const WAIT_STEP_MS = 50;

/** Adds --node, --token and --json. */
export function withClientOptions(command: Command): Command {
  return command
    .option("--node <url>", "address of the node", DEFAULT_NODE)
    .option("--token <token>", "API token of the node (else SVC_API_TOKEN)")
    .option("--json", "print the result as JSON");
}

/** Adds --key and --password-file. */
export function withKeyOptions(command: Command): Command {
  return command
    .requiredOption("--key <file>", "key file, made with parley keygen")
    .option("--password-file <file>", "file whose first line is the key file's password (else PARLEY_KEY_PASSWORD, else asked)");
}

/** Client of the node that the options name. A node that lacks what this program relies on is named in a warning. */
export async function connect(context: CommandContext, options: ClientOptions): Promise<NodeClient> {
  const token = options.token ?? context.environment.apiToken;
  const baseUrl = nodeUrl(options.node);
  const client = createNodeClient({ baseUrl, fetch: context.fetch, ...(token === undefined ? {} : { token }) });
  const version = await client.getVersion({}).catch(() => undefined);
  const problem = version === undefined ? undefined : supportProblem(version);
  if (problem !== undefined) context.terminal.err(`Warning: the node at ${baseUrl} is not supported: ${problem}. Going on all the same.`);
  return client;
}

/** Public part of the key file that the options name. */
export function publicKeys(options: KeyOptions): KeyFile {
  return readKeyFile(options.key);
}

/** Keys of the key file that the options name; asks for its password when it is sealed. */
export async function unlockKeys(context: CommandContext, options: KeyOptions): Promise<PersonalKeys> {
  const file = publicKeys(options);
  return openKeyFile(file, file.content.kind === "plain" ? undefined : await askPassword(context, options.passwordFile));
}

/** Prints a result: one JSON document with --json, else lines for people. */
export function report(context: CommandContext, options: { readonly json?: boolean }, value: unknown, lines: readonly string[]): void {
  if (options.json === true) context.terminal.out(JSON.stringify(value));
  else for (const line of lines) context.terminal.out(line);
}

/**
 * Signs the intent with the key file's master key and submits it; with --wait until it is in a block.
 * @throws CodedError with the node's reason; TX_REJECTED when it is in a block and failed there.
 */
export async function submitIntent(
  context: CommandContext,
  options: SubmitOptions,
  intentOf: (keys: PersonalKeys) => Intent,
): Promise<Submitted> {
  const keys = await unlockKeys(context, options);
  const intent: Intent = { ...intentOf(keys), ...(options.fee === undefined ? {} : { feeUt: options.fee }) };
  const draft = draftOfIntent(intent, { masterPub: keys.publicKey, devicePub: toHex(keys.device.publicKey) });
  const client = await connect(context, options);
  const { chain_id: chainId } = await client.getNetworkInfo({});
  const unsigned = buildTransaction(draft, { chainId, nowMs: context.clock.nowMs(), random: context.random });
  const accepted = await client.submitTransaction({ body: signTransaction(unsigned, keys.seed) });
  if (accepted.warning !== undefined) context.terminal.err(`Warning: ${accepted.warning}`);
  return options.wait === true ? await waitForBlock(context, client, accepted.id) : accepted;
}

/** Submits an intent and reports it as `what`. */
export async function submitAndReport(
  context: CommandContext,
  options: SubmitOptions,
  what: string,
  intentOf: (keys: PersonalKeys) => Intent,
): Promise<void> {
  const submitted = await submitIntent(context, options, intentOf);
  report(context, options, submitted, [`${what}: ${placeOf(submitted)}`, submitted.id]);
}

/** Where a submission stands, in words. */
export function placeOf({ status, block_index: height }: Submitted): string {
  return height === undefined ? `${status} by the node, not in a block yet` : `in block ${height}`;
}

/** Waits until the transaction is in a block. @throws CodedError TX_REJECTED when it failed there, UNAVAILABLE when that takes too long. */
export async function waitForBlock(context: CommandContext, client: NodeClient, id: string): Promise<Submitted> {
  const deadline = context.clock.monotonicMs() + WAIT_LIMIT_MS;
  do {
    const tx = await client.getTransaction({ txid: id }).catch(ignoreMissing);
    if (tx?.status === "failed")
      throw new CodedError(
        "TX_REJECTED",
        `The transaction ${id} failed in block ${tx.block_index}: ${tx.error ?? "the node gives no reason"}; its fee is paid`,
      );
    if (tx !== undefined) return { id, status: tx.status, block_index: tx.block_index };
    await context.pause(WAIT_STEP_MS);
  } while (context.clock.monotonicMs() < deadline);
  throw new CodedError(
    "UPSTREAM_FAILED",
    `The transaction ${id} was not in a block after ${WAIT_LIMIT_MS / 1000} s: look later with "parley tx ${id}"`,
  );
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof HttpError && error.httpStatus === 404) return undefined;
  throw error;
}

function nodeUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CodedError("CONFIG_INVALID", `"${text}" is not the address of a node: write it like ${DEFAULT_NODE}`);
  return text.replace(/\/+$/, "");
}
