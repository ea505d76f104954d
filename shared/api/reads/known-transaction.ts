// What a node knows of a transaction: in a block, or waiting for one; and of the one that deployed a contract, proven by its ids as far as they
// go: the contract's follows from deployer and transaction, the transaction's from all that was signed.
import { CodedError } from "#shared/errors/coded-error.ts";
import { type ContractId, deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import { isIdAuthentic, TX_ID_PREFIX } from "#shared/protocol/transactions/transaction-id.ts";
import { fromHex, toBase64, tryFromBase64 } from "#shared/util/bytes.ts";
import type { Output } from "../api.ts";
import type { CallOptions, NodeClient } from "../client.ts";
import type { TransactionDetail } from "../schemas/chain.ts";

/** True when a block holds it; else it waits for one. */
export function isInBlock(tx: Output<"getTransaction">): tx is TransactionDetail {
  return "block_index" in tx;
}

/** The transaction of a block; undefined while it waits for one. @throws HttpError with 404 when the node does not know it */
export async function readCommitted(
  client: Pick<NodeClient, "getTransaction">,
  txid: string,
  call?: Parameters<NodeClient["getTransaction"]>[1],
): Promise<TransactionDetail | undefined> {
  const tx = await client.getTransaction({ txid }, call);
  return isInBlock(tx) ? tx : undefined;
}

/** A deployment as its node tells it. */
export interface Deployment {
  /** The module with its custom sections. */
  readonly code: Uint8Array;
  readonly abiJson: string;
  readonly txId: string;
  /** True when the ids prove it; else the node is believed. */
  readonly isProven: boolean;
}

/** What finding a deployment asks a node for. */
export type DeploymentClient = Pick<NodeClient, "getContract" | "getBlock" | "getTransaction" | "getNetworkInfo">;

/** @throws CodedError NOT_FOUND when the chain of the node does not have the deployment, UPSTREAM_FAILED when it is another one. */
export async function findDeployment(client: DeploymentClient, id: ContractId, call?: CallOptions): Promise<Deployment> {
  const { deployed_at: height, abi_json: abiJson } = await client.getContract({ contractID: id }, call);
  const { transactions } = await client.getBlock({ index: height }, call);
  const entry = transactions.find(({ type, from, id: txId }) => type === "DEPLOY_CONTRACT" && deployedContractId(from ?? "", txId) === id);
  if (entry === undefined)
    throw new CodedError(
      "NOT_FOUND",
      `Block ${height} has no deployment of ${id}: native contracts and those of an earlier chain have none`,
    );
  const tx = await readCommitted(client, entry.id, call);
  if (tx === undefined) throw new CodedError("UPSTREAM_FAILED", `The node does not have the transaction that deployed ${id} in a block`);
  const payload = toBase64(fromHex(tx.payload_hex));
  const { wasm_b64: wasm, abi_json: deployedAbi } = decodePayload(payload) ?? {};
  const code = typeof wasm === "string" ? tryFromBase64(wasm) : undefined;
  if (code === undefined || deployedAbi !== abiJson || deployedContractId(tx.from ?? "", tx.id) !== id)
    throw new CodedError("UPSTREAM_FAILED", `The node sent a deployment that is not the one of ${id}`);
  const { chain_id: chainId } = await client.getNetworkInfo({}, call);
  const signed = {
    id: tx.id,
    type: "DEPLOY_CONTRACT" as const,
    from: tx.from ?? "",
    to: tx.to ?? "",
    amount: tx.amount_ut,
    fee: tx.fee_ut - tx.gas_fee_ut,
  };
  const isProven = tx.id.startsWith(TX_ID_PREFIX) && isIdAuthentic(chainId, { ...signed, payload, timestamp: tx.time });
  return { code, abiJson, txId: tx.id, isProven };
}
