// Anvil: an Ethereum development node in Rust that keeps its chain in memory and has no consensus. Blocks every second.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Blast, type BlastResult, blast } from "../load/blast.ts";
import { httpRequest } from "../load/raw-http.ts";
import { PEERS_FOLDER, requirePeer, respondsToRpc, rpc, rpcBody, startPeer } from "./peer-process.ts";

/** A signed transfer, ready to be sent. */
export interface RawTransfer {
  readonly raw: string;
  readonly hash: string;
}

/** Transfers of each sender in the order of their nonces, and who they are. */
export interface EthereumLoad {
  readonly senders: readonly string[];
  readonly transfers: readonly (readonly RawTransfer[])[];
}

interface Signer {
  readonly Transaction: { prepare(fields: Readonly<Record<string, unknown>>, isStrict: false): UnsignedEthereum };
  readonly addr: { fromPrivateKey(key: string): string };
}

interface UnsignedEthereum {
  signBy(key: string, extraEntropy: false): { toHex(isSigned: true): string; readonly hash: string };
}

const CHAIN_ID = 31_337;
const BLOCK_GAS = 2_000_000_000;
const TRANSFER_GAS = 21_000;
const SINK = `0x${"5".repeat(40)}`;

/** Signs transfers of one wei; the same ones serve every fresh chain. */
export function signEthereumLoad(senderCount: number, total: number): EthereumLoad {
  const { Transaction, addr } = requirePeer("micro-eth-signer") as Signer;
  const keys = Array.from({ length: senderCount }, (_, n) => `0x${createHash("sha256").update(`anvil sender ${n}`).digest("hex")}`);
  const transfers = keys.map((key) =>
    Array.from({ length: Math.floor(total / senderCount) }, (_, nonce): RawTransfer => {
      const fields = {
        type: "eip1559",
        to: SINK,
        value: 1n,
        nonce: BigInt(nonce),
        chainId: BigInt(CHAIN_ID),
        gasLimit: BigInt(TRANSFER_GAS),
      };
      const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n };
      const signed = Transaction.prepare({ ...fields, ...fees }, false).signBy(key, false);
      return { raw: signed.toHex(true), hash: `0x${signed.hash.replace(/^0x/, "")}` };
    }),
  );
  return { senders: keys.map((key) => addr.fromPrivateKey(key)), transfers };
}

/** The load on a fresh chain, until the last transfer of each sender has a receipt. */
export async function blastAnvil({ senders, transfers }: EthereumLoad): Promise<BlastResult> {
  const args = (port: number): readonly string[] => [
    ...["--port", String(port), "--block-time", "1", "--gas-limit", String(BLOCK_GAS), "--silent", "--accounts", "1"],
  ];
  await using anvil = await startPeer({ command: anvilProgram(), args, isReady: respondsToRpc });
  for (const sender of senders) await rpc(anvil.port, "anvil_setBalance", [sender, "0xde0b6b3a7640000"]);
  const load: Blast = {
    port: anvil.port,
    submissions: transfers.map((list) => list.map(({ raw }) => httpRequest("POST", "/", rpcBody("eth_sendRawTransaction", [raw])))),
    outcome: ({ body }) => {
      if (!body.includes('"result"')) throw new Error(`Anvil refused a transfer: ${body}`);
      return "taken";
    },
    requests: transfers.map((list) => httpRequest("POST", "/", rpcBody("eth_getTransactionReceipt", [list.at(-1)?.hash]))),
    isFinal: ({ body }) => body.includes('"blockHash":"0x'),
  };
  const result = await blast(load);
  const received = Number(await rpc<string>(anvil.port, "eth_getBalance", [SINK, "latest"]));
  if (received !== result.count) throw new Error(`Anvil moved ${received} of ${result.count} transfers`);
  return result;
}

/** The program of the package for Linux on x64, the machine of the published figures. */
function anvilProgram(): string {
  return join(PEERS_FOLDER, "node_modules", "@foundry-rs", "anvil-linux-amd64", "bin", "anvil");
}
