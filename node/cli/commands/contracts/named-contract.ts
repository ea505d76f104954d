// What the commands about a deployed contract share: the contract by its name, its ABI, and its calls.
import type { Output } from "#shared/api/api.ts";
import { HttpError, type NodeClient } from "#shared/api/client.ts";
import { findDeployment } from "#shared/api/reads/known-transaction.ts";
import type { FaultPlace } from "#shared/content/contract-lines.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { type ContractAbi, type ContractId, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import type { NamesOptions } from "../../session/contracts/names-option.ts";
import { namesFile, resolveContract } from "../../session/names/contract-names.ts";
import { onOneLine } from "../../session/printing/printable-line.ts";
import type { CommandContext } from "../../session/terminal.ts";

/** A node, and what waiting for it needs of the surroundings. */
export interface ContractSession {
  readonly context: Pick<CommandContext, "clock" | "terminal" | "pause" | "addressBook">;
  readonly client: NodeClient;
}

/** A contract on the chain of a node. */
export interface NamedContract {
  /** As it was given. */
  readonly name: string;
  readonly id: ContractId;
  readonly abi: ContractAbi;
}

/** A call that a person wrote. */
export interface WrittenCall {
  readonly method: string;
  readonly argsJson: string;
}

export const CONTRACT_ARGUMENT = "its name, its id, or a native contract's name";

/** How long a node may be behind the block of a deployment, ms. */
const WAIT_LIMIT_MS = 15_000;
const WAIT_STEP_MS = 250;

/**
 * The contract of a name or an id. One that the file of names has was deployed: a node that lacks it is behind, and is waited for.
 * @throws CodedError NOT_FOUND
 */
export async function findContract({ context, client }: ContractSession, name: string, { names }: NamesOptions): Promise<NamedContract> {
  const { chain_id: chainId } = await client.getNetworkInfo({});
  const file = namesFile(names);
  const { id, isDeployed } = resolveContract(name, { file, chainId });
  const { abi_json } = isDeployed
    ? await deployedContract({ context, client }, { name, id, file })
    : await client.getContract({ contractID: id });
  const abi = parseContractAbi(abi_json);
  if (abi === undefined) throw new CodedError("UPSTREAM_FAILED", `The node sent no ABI of ${name}`);
  return { name, id, abi };
}

/** A contract of the file of names, as soon as the node has its block. @throws CodedError NOT_FOUND after too long. */
async function deployedContract(
  { context: { clock, terminal, pause }, client }: ContractSession,
  { name, id, file }: { readonly name: string; readonly id: ContractId; readonly file: string },
): Promise<Output<"getContract">> {
  const startMs = clock.monotonicMs();
  let isSaid = false;
  for (;;) {
    const found = await client.getContract({ contractID: id }).catch((error: unknown) => {
      if (error instanceof HttpError && error.httpStatus === 404) return undefined;
      throw error;
    });
    if (found !== undefined) return found;
    if (clock.monotonicMs() - startMs >= WAIT_LIMIT_MS) break;
    if (!isSaid) terminal.err(`The node does not have ${name} (${id}) yet: waiting for the block of its deployment`);
    isSaid = true;
    await pause(WAIT_STEP_MS);
  }
  const { height } = await client.getNetworkInfo({});
  throw new CodedError(
    "NOT_FOUND",
    `The node is at block ${height} and has no ${name}, which is ${id} in ${file}: it is behind, or the chain began again; deploy it again then`,
  );
}

/** What a view returns. @throws CodedError TX_REJECTED with the reason. */
export async function askView(
  client: NodeClient,
  { id }: NamedContract,
  { method, argsJson, from }: WrittenCall & { readonly from: string | undefined },
): Promise<Output<"callView">> {
  const asking = from === undefined ? {} : { from };
  return await succeededOrLocated(client, id, await client.callView({ contractID: id, body: { method, args_json: argsJson, ...asking } }));
}

/** A trial of a call, before anything is signed or paid. @throws CodedError TX_REJECTED with the reason. */
export async function tryCall(
  client: NodeClient,
  { id }: NamedContract,
  { method, argsJson, from, amount }: WrittenCall & { readonly from: string; readonly amount?: AmountUt | undefined },
): Promise<Output<"estimateCall">> {
  const attached = amount === undefined ? {} : { amount_ut: amount };
  const body = { method, args_json: argsJson, from, ...attached };
  return await succeededOrLocated(client, id, await client.estimateCall({ contractID: id, body }));
}

/** @throws CodedError with the contract's reason, and the line where the deployer published it. */
export async function succeededOrLocated<T extends Output<"callView">>(client: NodeClient, id: ContractId, outcome: T): Promise<T> {
  if (outcome.status === "ok") return outcome;
  const { places = [], reason } = outcome;
  const line = places.length === 0 ? "" : await publishedLine(client, id, places);
  const where = line === "" ? "" : ` By the lines that its deployer published: in ${onOneLine(line)}.`;
  throw new CodedError("TX_REJECTED", `The call would fail: ${reason}${where}`);
}

/** Empty where none was published, or the deployment cannot be read: the reason stands without it. */
async function publishedLine(client: NodeClient, id: ContractId, places: readonly FaultPlace[]): Promise<string> {
  // Only a call that would fail needs them.
  const [{ describePlaces, readPublishedLines }, { inflate }] = await Promise.all([
    import("#shared/content/contract-lines.ts"),
    import("../../session/contracts/inflate.ts"),
  ]);
  try {
    const { code } = await findDeployment(client, id);
    const lines = await readPublishedLines(code, inflate);
    return lines === undefined ? "" : describePlaces(places, lines);
  } catch (error) {
    if (error instanceof CodedError) return "";
    throw error;
  }
}
