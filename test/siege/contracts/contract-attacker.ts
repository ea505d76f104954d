// One who attacks from inside: deploys contracts, calls them and pays for it.

import { randomBytes } from "node:crypto";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { buildTransaction, signTransaction, type TransactionDraft } from "#shared/protocol/transactions/build-transaction.ts";
import { type ContractId, deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import type { TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import { plainFetch } from "../../support/nodes/connect-to-node.ts";
import { buildModule, type ModuleSpec } from "../../support/vm/wasm-builder.ts";

const FUNDS_UT = 1_000_000_000;
const DEPLOYMENT_GAS = 50_000_000;
/** Blocks that one attacker fills follow each other. */
const SETTLING_MS = 300_000;

/** A method without arguments, or with one of any kind. */
export interface Method {
  readonly name: string;
  readonly hasArgument?: boolean;
  readonly isView?: boolean;
}

/** An account with money, and what it does with it. */
export class ContractAttacker {
  readonly #chainId: string;
  readonly #clients: readonly NodeClient[];
  readonly #seed = new Uint8Array(randomBytes(32));
  readonly #publicKey = toHex(ed25519PublicKey(this.#seed));
  readonly #pending = new Set<string>();
  /** Transactions that a node took in. */
  accepted = 0;
  /** Why others were refused, and how often. */
  readonly refusals = new Map<string, number>();
  /** Size of the largest module, bytes. */
  moduleBytes = 0;

  constructor(chainId: string, ports: readonly number[]) {
    this.#chainId = chainId;
    this.#clients = ports.map((port) => createNodeClient({ baseUrl: `http://127.0.0.1:${port}`, fetch: plainFetch }));
  }

  /** Gets its money, once. */
  async fund(): Promise<void> {
    await this.#client.requestFaucet({ body: { to: this.#publicKey, amount_ut: FUNDS_UT } });
    await pollUntil(async () => (await this.balanceUt()) > 0, { what: "the attacker's money", timeoutMs: 60_000 });
  }

  async balanceUt(): Promise<number> {
    return (await this.#client.getAddress({ addr: this.#publicKey, limit: 1 })).balance_ut;
  }

  /** Deploys a module and waits for its block. */
  async deploy(spec: ModuleSpec, methods: readonly Method[]): Promise<ContractId> {
    const code = buildModule(spec);
    this.moduleBytes = Math.max(this.moduleBytes, code.length);
    const abi_json = JSON.stringify({
      contract: "x",
      version: "1",
      methods: methods.map(({ name, hasArgument = false, isView = false }) => ({
        name,
        args: hasArgument ? [{ name: "a", type: "json" }] : [],
        view: isView,
      })),
    });
    const payload = { wasm_b64: toBase64(code), abi_json, gas_limit: DEPLOYMENT_GAS };
    const id = await this.#send<"DEPLOY_CONTRACT">({ type: "DEPLOY_CONTRACT", payload });
    if (id === undefined) throw new Error(`The deployment was refused: ${[...this.refusals.keys()].join("; ")}`);
    const { status, error } = await pollUntil(() => readCommitted(this.#client, id), { timeoutMs: 60_000 });
    if (status !== "ok") throw new Error(`The deployment failed: ${error}`);
    return deployedContractId(this.#publicKey, id);
  }

  /** Submits a call, without waiting for its block. */
  async call(id: ContractId, method: string, gas_limit: number): Promise<void> {
    await this.#send<"CALL_CONTRACT">({ type: "CALL_CONTRACT", payload: { contract_id: id, method, args_json: "[]", gas_limit } });
  }

  /** Calls a view at every node, for nothing. */
  async view(id: ContractId, method: string): Promise<void> {
    const calls = this.#clients.map((client) => client.callView({ contractID: id, body: { method } }));
    for (const outcome of await Promise.allSettled(calls)) if (outcome.status === "rejected") this.#refused(outcome.reason);
  }

  /** Waits until blocks hold all that was taken in. */
  async settled(): Promise<void> {
    for (const txid of this.#pending) await pollUntil(() => readCommitted(this.#client, txid), { timeoutMs: SETTLING_MS });
    this.#pending.clear();
  }

  get #client(): NodeClient {
    const [client] = this.#clients;
    if (client === undefined) throw new Error("A network has nodes");
    return client;
  }

  async #send<T extends TransactionType>(draft: Omit<TransactionDraft<T>, "from">): Promise<string | undefined> {
    const random = (length: number): Uint8Array => new Uint8Array(randomBytes(length));
    const built = buildTransaction({ ...draft, from: this.#publicKey } as TransactionDraft<T>, {
      chainId: this.#chainId,
      nowMs: Date.now(),
      random,
    });
    const tx = signTransaction(built, this.#seed);
    try {
      await this.#client.submitTransaction({ body: tx });
      this.accepted += 1;
      this.#pending.add(tx.id);
      return tx.id;
    } catch (error) {
      this.#refused(error);
      return undefined;
    }
  }

  #refused(error: unknown): void {
    const words = error instanceof Error ? error.message.slice(0, 80) : String(error);
    this.refusals.set(words, (this.refusals.get(words) ?? 0) + 1);
  }
}
