// Ganache: an Ethereum development node in JavaScript that keeps its chain in memory. For reads only.
import { join } from "node:path";
import type { ReadRequest } from "../load/read-load.ts";
import { PEERS_FOLDER, type PeerProcess, respondsToRpc, rpc, rpcBody, startPeer } from "./peer-process.ts";

/** A ganache with blocks of transfers. */
export interface Ganache extends PeerProcess {
  readonly transactionRequests: readonly ReadRequest[];
  readonly blockRequests: readonly ReadRequest[];
}

const BLOCKS = 64;
const BLOCK_TXS = 32;

/** Starts ganache and makes 64 blocks of 32 transfers. */
export async function startGanache(): Promise<Ganache> {
  const program = join(PEERS_FOLDER, "node_modules", "ganache", "dist", "node", "cli.js");
  const args = (port: number): readonly string[] => [
    program,
    "--server.port",
    String(port),
    "--wallet.totalAccounts",
    "2",
    "--logging.quiet",
  ];
  const peer = await startPeer({ command: process.execPath, args, isReady: respondsToRpc });
  const { port } = peer;
  const [from, to] = await rpc<readonly string[]>(port, "eth_accounts", []);
  const hashes: string[] = [];
  for (let block = 0; block < BLOCKS; block += 1) {
    await rpc(port, "miner_stop", []);
    for (let i = 0; i < BLOCK_TXS; i += 1)
      hashes.push(await rpc<string>(port, "eth_sendTransaction", [{ from, to, value: "0x1", gas: "0x5208" }]));
    await rpc(port, "miner_start", []);
    await untilMined(port, hashes.at(-1) ?? "");
  }
  const height = Number(await rpc<string>(port, "eth_blockNumber", []));
  const call = (method: string, params: readonly unknown[]): ReadRequest => ({ method: "POST", path: "/", json: rpcBody(method, params) });
  return {
    ...peer,
    transactionRequests: hashes.map((hash) => call("eth_getTransactionByHash", [hash])),
    blockRequests: Array.from({ length: height }, (_, i) => call("eth_getBlockByNumber", [`0x${(i + 1).toString(16)}`, true])),
  };
}

async function untilMined(port: number, hash: string): Promise<void> {
  while ((await rpc<unknown>(port, "eth_getTransactionReceipt", [hash])) === null);
}
