// The transaction that deployed a contract, proven by its ids as far as they go: the contract's follows from deployer and transaction,
// the transaction's from all that was signed.
import type { DeployedContract } from "#node/contracts/verification/compare-builds.ts";
import type { NodeClient } from "#shared/api/client.ts";
import { readCommitted } from "#shared/api/known-transaction.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type ContractId, deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import { isIdAuthentic, TX_ID_PREFIX } from "#shared/protocol/transactions/transaction-id.ts";
import { fromHex, toBase64, tryFromBase64 } from "#shared/util/bytes.ts";

/** A deployment as its node tells it. */
export interface Deployment extends DeployedContract {
  readonly txId: string;
  /** True when the ids prove it; else the node is believed. */
  readonly isProven: boolean;
}

/** @throws CodedError NOT_FOUND when the chain of the node does not have the deployment, UPSTREAM_FAILED when it is another one. */
export async function findDeployment(client: NodeClient, id: ContractId): Promise<Deployment> {
  const { deployed_at: height, abi_json: abiJson } = await client.getContract({ contractID: id });
  const { transactions } = await client.getBlock({ index: height });
  const entry = transactions.find(({ type, from, id: txId }) => type === "DEPLOY_CONTRACT" && deployedContractId(from ?? "", txId) === id);
  if (entry === undefined)
    throw new CodedError(
      "NOT_FOUND",
      `Block ${height} has no deployment of ${id}: native contracts and those of an earlier chain have none`,
    );
  const tx = await readCommitted(client, entry.id);
  if (tx === undefined) throw new CodedError("UPSTREAM_FAILED", `The node does not have the transaction that deployed ${id} in a block`);
  const payload = toBase64(fromHex(tx.payload_hex));
  const { wasm_b64: wasm, abi_json: deployedAbi } = decodePayload(payload) ?? {};
  const code = typeof wasm === "string" ? tryFromBase64(wasm) : undefined;
  if (code === undefined || deployedAbi !== abiJson || deployedContractId(tx.from ?? "", tx.id) !== id)
    throw new CodedError("UPSTREAM_FAILED", `The node sent a deployment that is not the one of ${id}`);
  const { chain_id: chainId } = await client.getNetworkInfo({});
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
