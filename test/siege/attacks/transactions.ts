// Floods of transactions that are worth nothing: no money, no signature, or bytes that displace the payments of others.
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { transactionsMessageCodec } from "#node/network/wire/wire-codec.ts";
import { createNodeClient } from "#shared/api/client.ts";
import { encode } from "#shared/codec/codec.ts";
import { MAX_WASM_BYTES } from "#shared/protocol/primitives/limits.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import { paddedModule } from "../../support/chain/contract-calls.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import { plainFetch } from "../../support/nodes/connect-to-node.ts";
import { type Attack, type Target, type Turn, victimOf } from "../attack.ts";
import { forgedTransactions } from "./forged-transactions.ts";
import { besiege, shoutAll } from "./swarm.ts";

const PEERS = 4;
const BATCH = 256;
const BATCHES = 32;
const PAUSE_MS = 20;
const DEPLOYERS = 8;
const DEPLOYER_FUNDS_UT = 900_000_000;
const GAS_LIMIT = 60_000_000;
const SALT_BYTES = 32;

async function shoutTransactions(target: Target, turn: Turn, from?: string): Promise<void> {
  const batches = Array.from({ length: BATCHES }, () => forgedTransactions(target.chainId, BATCH, from));
  await turn.begin();
  let next = 0;
  const messages = (): Uint8Array => {
    next += 1;
    turn.count("transactions", BATCH);
    // Another second makes it another message, as if it was repeated.
    const repeatedAtSec = Math.floor(Date.now() / 1_000) - Math.floor(next / BATCHES);
    return encode(transactionsMessageCodec, { transactions: batches[next % BATCHES] ?? [], repeatedAtSec });
  };
  await besiege(target, turn, { peers: PEERS, assault: (peer) => shoutAll(peer, turn, { topic: "tx", messages, pauseMs: PAUSE_MS }) });
}

/** Large deployments with the least fee, as fast as the node takes them. */
async function deploy(target: Target, turn: Turn): Promise<void> {
  const client = createNodeClient({ baseUrl: `http://127.0.0.1:${victimOf(target).port}`, fetch: plainFetch });
  const seeds = Array.from({ length: DEPLOYERS }, () => new Uint8Array(randomBytes(32)));
  for (const seed of seeds) {
    const to = toHex(ed25519PublicKey(seed));
    await client.requestFaucet({ body: { to, amount_ut: DEPLOYER_FUNDS_UT } });
    await pollUntil(async () => (await client.getAddress({ addr: to, limit: 1 })).balance_ut > 0, { what: "the attacker's money" });
  }
  const abi = JSON.stringify({ contract: "x", version: "1", methods: [] });
  const deployment = (seed: Uint8Array): ReturnType<typeof signTransaction> => {
    const context = {
      chainId: target.chainId,
      nowMs: Date.now(),
      random: (bytes: number): Uint8Array => new Uint8Array(randomBytes(bytes)),
    };
    const payload = { wasm_b64: toBase64(paddedModule(MAX_WASM_BYTES, randomBytes(SALT_BYTES))), abi_json: abi, gas_limit: GAS_LIMIT };
    return signTransaction(buildTransaction({ type: "DEPLOY_CONTRACT", from: toHex(ed25519PublicKey(seed)), payload }, context), seed);
  };
  await turn.begin();
  const one = async (seed: Uint8Array): Promise<void> => {
    while (!turn.signal.aborted) {
      await client.submitTransaction({ body: deployment(seed) }).then(
        () => turn.count("deployments"),
        async (error: unknown) => {
          turn.count(`refused (${codeOf(error)})`);
          await delay(PAUSE_MS);
        },
      );
    }
  };
  await Promise.all(seeds.map(one));
}

function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "no response";
}

export const TRANSACTION_ATTACKS: readonly Attack[] = [
  {
    name: "unfunded",
    title: "gossiped transactions of accounts without money",
    work: "transfers",
    network: { validators: 4 },
    attack: (target, turn) => shoutTransactions(target, turn),
  },
  {
    name: "bad-signatures",
    title: "gossiped transactions of a rich account with bad signatures",
    work: "transfers",
    network: { validators: 4 },
    attack: (target, turn) => shoutTransactions(target, turn, target.richKey),
  },
  {
    name: "deployments",
    title: "large deployments that compete with payments",
    work: "transfers",
    network: { validators: 4 },
    attack: deploy,
  },
];
