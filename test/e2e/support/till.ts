// A contract with events, deployed and called once: a line of words, and a payment to a person of the seeded chain.
import { readCommitted } from "#shared/api/known-transaction.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { type ContractAbi, deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import type { UnsignedTransaction } from "#shared/protocol/transactions/transaction.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import type { RunningNode } from "../../support/nodes/start-node.ts";
import { buildModule, call, data, i32c, W } from "../../support/vm/wasm-builder.ts";
import { carol } from "../../support/worlds/ledger-world.ts";
import { seededPerson } from "./seeded-people.ts";

const AMOUNT = "18446744073709551615";
const GAS = 20_000_000;

const ABI: ContractAbi = {
  contract: "till",
  version: "1.0.0",
  methods: [
    {
      name: "pay",
      args: [
        { name: "to", type: "string", format: "address" },
        { name: "amount", type: "u64", format: "u64" },
      ],
    },
  ],
  events: [
    {
      name: "Paid",
      fields: [
        { name: "to", type: "address", indexed: true },
        { name: "amount", type: "u64" },
        { name: "note", type: "string" },
      ],
    },
    { name: "Closed", fields: [] },
  ],
};

/** Deploys it and has it called. */
export async function deployTill({ client }: RunningNode): Promise<{ readonly contractId: string }> {
  const to = seededPerson(3).account.publicKey;
  const lines = [
    "the till is open",
    `{"event":"Paid","index":{"to":"${to}"},"data":{"amount":${AMOUNT},"note":"two pots of basil"}}`,
    "thanks",
  ];
  const code = lines.map((line, index) => [i32c(index * 1_024), i32c(line.length), call(0)]);
  const module = buildModule({
    imports: [{ name: "log", params: [W.i32, W.i32], results: [] }],
    functions: [{ code, export: "pay" }],
    data: lines.map((line, index) => data(index * 1_024, line)),
  });
  const { chain_id: chainId } = await client.getNetworkInfo({});
  const inBlock = (txid: string): Promise<object> => pollUntil(() => readCommitted(client, txid), { what: "a transaction of the till" });
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
  const deployment = { wasm_b64: toBase64(module), abi_json: JSON.stringify(ABI), gas_limit: GAS };
  const deployed = await submit(buildTransaction({ type: "DEPLOY_CONTRACT", from: carol.pub, payload: deployment }, context()));
  const contractId = deployedContractId(carol.pub, deployed);
  const payment = { contract_id: contractId, method: "pay", args_json: `["${to}", ${AMOUNT}]`, gas_limit: GAS };
  await submit(buildTransaction({ type: "CALL_CONTRACT", from: carol.pub, payload: payment }, context()));
  return { contractId };
}
