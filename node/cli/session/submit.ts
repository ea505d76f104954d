// Submitting a transaction from the command line: signed here, handed to the node, and waited for when that is asked for.
import type { Command } from "commander";
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { HttpError, type NodeClient } from "#shared/api/client.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { draftOfIntent } from "#shared/keyring/intents/intent-transaction.ts";
import type { Intent } from "#shared/keyring/intents/intents.ts";
import type { TransactionDraft } from "#shared/protocol/transactions/build-transaction.ts";
import type { TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { signedBytes } from "#shared/protocol/transactions/transaction-id.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import {
  type ClientOptions,
  connect,
  type KeyOptions,
  publicKeys,
  report,
  unlockSigningKey,
  withClientOptions,
  withKeyOptions,
} from "./client-session.ts";
import type { KeyFile, SigningKey } from "./keys/key-file.ts";
import { feeValue } from "./option-values.ts";
import type { CommandContext } from "./terminal.ts";

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

/** A transaction without sender and fee, which the options name. */
export type Draft = { [T in TransactionType]: Omit<TransactionDraft<T>, "from" | "fee"> }[TransactionType];

/** What a plan is made with: everything that needs no password. */
export interface PlanSession {
  readonly client: NodeClient;
  readonly chainId: string;
  /** Public part of the key file that will sign. */
  readonly signer: KeyFile;
}

/** What is to be submitted, and how it is reported. */
export interface Plan {
  readonly draft: Draft;
  /** Fee, µT, where --fee names none; the least that the network takes when not given. */
  readonly fee?: number;
  /** What it does, in words; from its id where they need it. */
  readonly what: string | ((submitted: Submitted) => string);
  /** Further fields of the result, and lines below it, once the transaction is submitted. */
  result?(submitted: Submitted): Details | Promise<Details>;
}

/** What a command reports beside the transaction's status. */
export interface Details {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly lines?: readonly string[];
}

const WAIT_LIMIT_MS = 60_000;
const WAIT_STEP_MS = 50;

/** Adds --key, --fee, --wait and the options of every client command. */
export function withSubmitOptions(command: Command): Command {
  return withFreeFee(
    command.option(
      "--fee <amount>",
      "fee of the transaction, whole µT or T (default: the least that the network takes, more for a large payload)",
      feeValue,
    ),
  );
}

/** The same without --fee: for a command that uses that name for something else. */
export function withFreeFee(command: Command): Command {
  return withClientOptions(withKeyOptions(command.option("--wait", "wait until the transaction is in a block; fail if it failed there")));
}

/** The draft of what the interface's keyring can do too, checked by the same rules. */
export function draftOf(intent: Intent, { publicKey, devicePublicKey }: KeyFile): Draft {
  return draftOfIntent(intent, { masterPub: publicKey, devicePub: devicePublicKey ?? "" });
}

/**
 * Makes the plan, then asks for the password, signs and submits; with --wait until the transaction is in a block. Reports the result.
 * @throws CodedError with the node's reason; TX_REJECTED when it is in a block and failed there.
 */
export async function submitAndReport(
  context: CommandContext,
  options: SubmitOptions,
  makePlan: (session: PlanSession) => Plan | Promise<Plan>,
): Promise<void> {
  const signer = publicKeys(options);
  const client = await connect(context, options);
  const { chain_id: chainId } = await client.getNetworkInfo({});
  const { draft, fee, what, result } = await makePlan({ client, chainId, signer });
  const signing = await unlockSigningKey(context, options);
  const accepted = await signAndSubmit(context, { client, chainId, signing, fee: options.fee ?? fee }, draft);
  const submitted = options.wait === true ? await waitForBlock(context, client, accepted.id) : accepted;
  const details = await result?.(submitted);
  const headline = `${typeof what === "string" ? what : what(submitted)}: ${describeStatus(submitted)}`;
  report(context, options, { ...submitted, ...details?.fields }, [headline, submitted.id, ...(details?.lines ?? [])]);
}

/** What a transaction is signed and submitted with. */
export interface Signing {
  readonly client: NodeClient;
  readonly chainId: string;
  readonly signing: SigningKey;
  readonly fee?: number | undefined;
}

/** Signs a draft and hands it to the node. */
export async function signAndSubmit(context: CommandContext, { client, chainId, signing, fee }: Signing, draft: Draft): Promise<Submitted> {
  const [{ buildTransaction }, { readLeastFee }] = await Promise.all([
    import("#shared/protocol/transactions/build-transaction.ts"),
    import("#shared/api/reads/least-fee.ts"),
  ]);
  const { publicKey, seed } = signing;
  const minFeeUt = fee === undefined ? await readLeastFee(client) : undefined;
  const surroundings = { chainId, nowMs: context.clock.nowMs(), random: context.random, minFeeUt };
  const unsigned = buildTransaction({ ...draft, from: publicKey, fee }, surroundings);
  const signature = toBase64(createValidatorSigner(seed).sign(signedBytes(unsigned)));
  const accepted = await client.submitTransaction({ body: { ...unsigned, signature } });
  if (accepted.warning !== undefined) context.terminal.err(`Warning: ${accepted.warning}`);
  return accepted;
}

/** Status of a submission, in words. */
export function describeStatus({ status, block_index: height }: Submitted): string {
  return height === undefined ? `${status} by the node, not in a block yet` : `in block ${height}`;
}

/** Waits until the transaction is in a block. @throws CodedError TX_REJECTED when it failed there, UPSTREAM_FAILED after too long. */
export async function waitForBlock(context: CommandContext, client: NodeClient, id: string): Promise<Submitted> {
  const { clock, terminal } = context;
  const startMs = clock.monotonicMs();
  try {
    for (let waitedMs = 0; waitedMs < WAIT_LIMIT_MS; waitedMs = clock.monotonicMs() - startMs) {
      const found = await committed(client, id);
      if (found !== undefined) return found;
      terminal.progress(`Waiting for a block: ${Math.floor(waitedMs / 1000)} s`);
      await context.pause(WAIT_STEP_MS);
    }
  } finally {
    terminal.progress(undefined);
  }
  throw new CodedError(
    "UPSTREAM_FAILED",
    `The transaction ${id} was not in a block after ${WAIT_LIMIT_MS / 1000} s: check later with "parley tx ${id}"`,
  );
}

async function committed(client: NodeClient, id: string): Promise<Submitted | undefined> {
  const tx = await readCommitted(client, id).catch(ignoreMissing);
  if (tx?.status === "failed")
    throw new CodedError(
      "TX_REJECTED",
      `The transaction ${id} failed in block ${tx.block_index}: ${tx.error ?? "no reason given"}; the fee was paid`,
    );
  return tx === undefined ? undefined : { id, status: tx.status, block_index: tx.block_index };
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof HttpError && error.httpStatus === 404) return undefined;
  throw error;
}
