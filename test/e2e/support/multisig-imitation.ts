// A contract that has the interface of the library's multisig and answers like one, and other code: what may be behind such a name.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "#build/scripts/process.ts";
import { readCommitted } from "#shared/api/known-transaction.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { type ContractAbi, type ContractId, deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import type { RunningNode } from "../../support/nodes/start-node.ts";
import { buildModule, call, data, i32c, W } from "../../support/vm/wasm-builder.ts";
import { carol } from "../../support/worlds/ledger-world.ts";

const GAS = 20_000_000;

/** Deploys it; its members are one key, of which one is needed. */
export async function deployImitation({ client }: RunningNode): Promise<ContractId> {
  const abi = JSON.parse(readFileSync(join(ROOT, "node/contracts/examples/multisig/abi.json"), "utf8")) as ContractAbi;
  const members = JSON.stringify([carol.pub]);
  const code = (method: string): ReturnType<typeof call>[] => {
    if (method === "members_now") return [i32c(0), i32c(members.length), call(0)];
    return method === "needed" ? [i32c(1_024), i32c(1), call(0)] : [];
  };
  const module = buildModule({
    imports: [{ name: "ret", params: [W.i32, W.i32], results: [] }],
    functions: abi.methods.map(({ name }) => ({ code: code(name), export: name })),
    data: [data(0, members), data(1_024, "1")],
  });
  const { chain_id: chainId } = await client.getNetworkInfo({});
  const inBlock = (txid: string): Promise<object> =>
    pollUntil(() => readCommitted(client, txid), { what: "a transaction of the imitation" });
  await inBlock((await client.requestFaucet({ body: { to: carol.pub, amount_ut: 50_000_000 } })).id);
  const payload = { wasm_b64: toBase64(module), abi_json: JSON.stringify(abi), init_args_json: "[[],1]", gas_limit: GAS };
  const context = { chainId, nowMs: Date.now(), random: (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length)) };
  const tx = signTransaction(buildTransaction({ type: "DEPLOY_CONTRACT", from: carol.pub, fee: 10_000, payload }, context), carol.seed);
  await client.submitTransaction({ body: tx });
  await inBlock(tx.id);
  return deployedContractId(carol.pub, tx.id);
}
