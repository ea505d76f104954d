// Deploys and calls contracts on a node of a development network, by an account of its own.
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { type ContractAbi, type ContractId, deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import type { UnsignedTransaction } from "#shared/protocol/transactions/transaction.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { pollUntil } from "../../../support/host/poll-until.ts";
import type { RunningNode } from "../../../support/nodes/start-node.ts";
import { carol } from "../../../support/worlds/ledger-world.ts";

const GAS = 20_000_000;

export interface Deployer {
  /** Deploys a module and waits until it is in a block. */
  deploy(module: Uint8Array, abi: ContractAbi): Promise<ContractId>;
  call(call: { readonly contract_id: ContractId; readonly method: string; readonly args_json: string }): Promise<void>;
}

export async function openDeployer({ client }: RunningNode): Promise<Deployer> {
  const { chain_id: chainId } = await client.getNetworkInfo({});
  const inBlock = (txid: string): Promise<object> => pollUntil(() => readCommitted(client, txid), { what: "a transaction of a contract" });
  await inBlock((await client.requestFaucet({ body: { to: carol.pub, amount_ut: 50_000_000 } })).id);
  const submit = async (draft: UnsignedTransaction): Promise<string> => {
    const tx = signTransaction(draft, carol.seed);
    await client.submitTransaction({ body: tx });
    await inBlock(tx.id);
    return tx.id;
  };
  const context = (): Parameters<typeof buildTransaction>[1] => ({
    chainId,
    nowMs: Date.now(),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  });
  return {
    deploy: async (module, abi): Promise<ContractId> => {
      const payload = { wasm_b64: toBase64(module), abi_json: JSON.stringify(abi), gas_limit: GAS };
      const id = await submit(buildTransaction({ type: "DEPLOY_CONTRACT", from: carol.pub, payload }, context()));
      return deployedContractId(carol.pub, id);
    },
    call: async (call): Promise<void> => {
      const payload = { ...call, gas_limit: GAS };
      await submit(buildTransaction({ type: "CALL_CONTRACT", from: carol.pub, payload }, context()));
    },
  };
}
