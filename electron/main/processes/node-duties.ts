// Passes what the interface asks of the node's own key on to the node, with the secret that the page does not have, once the person agreed.
import type { NodeDuty } from "#shared/desktop/node-duty.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { isHex } from "#shared/util/bytes.ts";
import type { NodeDutyDecision } from "../confirmation/confirmation-types.ts";
import type { ServingNode } from "./node-host.ts";
import type { Fetch } from "./other-node.ts";

const LIMIT_MS = 15_000;
/** The genesis file of a network with many accounts is the largest. docs/limits.md lists it. */
const MAX_RESPONSE_BYTES = 16_777_216;

/** What duties go through. */
export interface NodeDutiesDependencies {
  readonly fetch: Fetch;
  /** The node while it serves. */
  readonly serving: () => ServingNode | undefined;
  /** Asks the person in a window of the shell; true when they agreed. */
  readonly confirm: (decision: NodeDutyDecision) => Promise<boolean>;
}

/**
 * Has the node do a duty and gives the id of its transaction. Taking a bond back is not asked about: it comes to the node's own account.
 * @throws CodedError CONFIRMATION_DECLINED, UNAVAILABLE while the node does not serve, UPSTREAM_FAILED with the node's words.
 */
export async function askNodeForDuty({ fetch, serving, confirm }: NodeDutiesDependencies, duty: NodeDuty): Promise<string> {
  const node = serving();
  if (node === undefined) throw new CodedError("UNAVAILABLE", "The node is not running");
  const decision = await decisionOf(fetch, node, duty);
  if (decision !== undefined && !(await confirm(decision)))
    throw new CodedError("CONFIRMATION_DECLINED", "This was not confirmed in Parley's own window");
  // Another one may have begun to serve meanwhile, with another key: the person agreed to this one.
  if (serving()?.secret !== node.secret) throw new CodedError("UNAVAILABLE", "The node was restarted meanwhile: try again");
  const { id } = await request(fetch, node, "/api/node/duties", { method: "POST", body: JSON.stringify(duty) });
  if (typeof id !== "string") throw malformed();
  return id;
}

async function decisionOf(fetch: Fetch, node: ServingNode, duty: NodeDuty): Promise<NodeDutyDecision | undefined> {
  if (duty.duty === "withdraw_bond") return undefined;
  const { node_key: key } = await request(fetch, node, "/api/status");
  if (typeof key !== "string" || !isHex(key, 32)) throw new CodedError("UNAVAILABLE", "A light node has no duties on the chain");
  const signed = { account: formatAddress(key), chainId: node.chainId, feeUt: await leastFeeOf(fetch, node) };
  switch (duty.duty) {
    case "apply":
      return { kind: "nodeApplies", ...signed, bondUt: await bondOf(fetch, node) };
    case "leave":
      return { kind: "nodeLeaves", ...signed };
    case "approve":
      return { kind: "nodeApproves", ...signed, validator: formatAddress(duty.pub_key) };
    case "approve_removal":
      return { kind: "nodeApprovesRemoval", ...signed, validator: formatAddress(duty.pub_key) };
    case "bind_wallet":
      return { kind: "nodeBindsWallet", ...signed, wallet: formatAddress(duty.wallet_pub) };
    case "unbind_wallet":
      return { kind: "nodeUnbindsWallet", ...signed };
    case "pay_wallet":
      return { kind: "nodePaysWallet", ...signed, wallet: formatAddress(duty.wallet_pub), amountUt: duty.amount_ut };
  }
}

/** The smallest fee of the network, which is what the node pays, µT. */
async function leastFeeOf(fetch: Fetch, node: ServingNode): Promise<number> {
  return numberOf((await request(fetch, node, "/api/params")).params, "min_fee_ut");
}

async function bondOf(fetch: Fetch, node: ServingNode): Promise<number> {
  const { params } = await request(fetch, node, "/api/genesis");
  return numberOf(params, "validator_bond_ut");
}

function numberOf(values: unknown, name: string): number {
  const value = typeof values === "object" && values !== null ? Reflect.get(values, name) : undefined;
  if (typeof value !== "number") throw malformed();
  return value;
}

async function request(fetch: Fetch, { url, secret }: ServingNode, path: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    redirect: "error",
    signal: AbortSignal.timeout(LIMIT_MS),
  }).catch((cause: unknown) => {
    throw new CodedError("UNAVAILABLE", "The node does not respond", { cause });
  });
  const body = recordIn(await response.text().catch(() => ""));
  if (!response.ok) throw new CodedError("UPSTREAM_FAILED", typeof body?.error === "string" ? body.error : "The node refused");
  if (body === undefined) throw malformed();
  return body;
}

function recordIn(text: string): Record<string, unknown> | undefined {
  if (text.length > MAX_RESPONSE_BYTES) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function malformed(): CodedError {
  return new CodedError("UPSTREAM_FAILED", "The node responds in an unknown form");
}
