// A contract with events, deployed and called once: a line of words, and a payment to a person of the seeded chain.
import type { ContractAbi } from "#shared/protocol/transactions/contracts.ts";
import type { RunningNode } from "../../../support/nodes/start-node.ts";
import { buildModule, call, data, i32c, W } from "../../../support/vm/wasm-builder.ts";
import { seededPerson } from "../seeded-people.ts";
import { openDeployer } from "./deployer.ts";

const AMOUNT = "18446744073709551615";

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
export async function deployTill(node: RunningNode): Promise<{ readonly contractId: string }> {
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
  const deployer = await openDeployer(node);
  const contractId = await deployer.deploy(module, ABI);
  await deployer.call({ contract_id: contractId, method: "pay", args_json: `["${to}", ${AMOUNT}]` });
  return { contractId };
}
