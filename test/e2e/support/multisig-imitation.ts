// A contract that has the interface of the library's multisig and answers like one, and other code: what may be behind such a name.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "#build/scripts/process.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { type ContractAbi, type ContractId, deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import type { RunningNode } from "../../support/nodes/start-node.ts";
import { buildModule, call, data, i32c, W } from "../../support/vm/wasm-builder.ts";
import { carol } from "../../support/worlds/ledger-world.ts";

const GAS = 20_000_000;
const MOST_OF_FAUCET_UT = 1_000_000_000;

/** Deploys one; its members are one key, of which one is needed. */
export async function deployImitation(node: RunningNode): Promise<ContractId> {
  const [id] = await deployImitations(node, 1);
  if (id === undefined) throw new Error("One was asked for");
  return id;
}

/** Deploys as many as one key pays for. */
export async function deployImitations({ client }: RunningNode, count: number): Promise<readonly ContractId[]> {
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
  await inBlock((await client.requestFaucet({ body: { to: carol.pub, amount_ut: Math.min(50_000_000 * count, MOST_OF_FAUCET_UT) } })).id);
  const payload = { wasm_b64: toBase64(module), abi_json: JSON.stringify(abi), init_args_json: "[[],1]", gas_limit: GAS };
  const context = { chainId, nowMs: Date.now(), random: (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length)) };
  const deployed: ContractId[] = [];
  for (let number = 0; number < count; number += 1) {
    const draft = { type: "DEPLOY_CONTRACT", from: carol.pub, fee: 10_000, payload } as const;
    const tx = signTransaction(buildTransaction(draft, context), carol.seed);
    // Trials of deployments have a rate.
    await pollUntil(() => client.submitTransaction({ body: tx }), { what: "the trial of a deployment", intervalMs: 250 });
    await inBlock(tx.id);
    deployed.push(deployedContractId(carol.pub, tx.id));
  }
  return deployed;
}
