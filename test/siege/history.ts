// What chains hold before an attack on their readers.
import { randomBytes } from "node:crypto";
import { boxKeyPair, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { NONCE_BYTES } from "#shared/protocol/primitives/limits.ts";
import { toHex } from "#shared/util/bytes.ts";
import { blast } from "../bench/load/blast.ts";
import { fundAccounts } from "../bench/load/closed-loop.ts";
import { parleyBlast } from "../bench/load/parley-load.ts";
import { pollUntil } from "../support/host/poll-until.ts";
import type { ProcessNetwork, ProcessNode } from "../support/nodes/process-network.ts";
import { keptBox } from "./kept-box.ts";
import { FULL_BOX_SEED } from "./siege-network.ts";

const TRANSFERS = 3_200;
const CONNECTIONS = 32;
const ENVELOPES = 96;
const ENVELOPE_TEXT_BYTES = 190_000;
/** Of these at a keeper: there is room for no more of a box that was not opened. */
const KEPT_ENVELOPES = 32;
const KEPT_MS = 60_000;

/** The device whose mailbox is full. */
export const FULL_MAILBOX: string = toHex(boxKeyPair(new Uint8Array(32).fill(71)).publicKey);

/** Makes a history on a network at rest. */
export const HISTORIES = {
  /** Blocks with many transfers. */
  async transfers(network: ProcessNetwork): Promise<void> {
    await makeBlocks(network);
  },
  /** The same, and one mailbox with large envelopes. */
  async mailbox(network: ProcessNetwork): Promise<void> {
    await makeBlocks(network);
    await fillMailbox(network.node(0), FULL_MAILBOX);
  },
  /** A mailbox that the victim keeps, likewise. */
  async keptMailbox(network: ProcessNetwork): Promise<void> {
    const { client } = network.node(0);
    await fillMailbox(network.node(0), keptBox(network, FULL_BOX_SEED));
    const isFull = async (): Promise<boolean> => (await client.getStatus({})).mailbox_envelopes >= KEPT_ENVELOPES;
    await pollUntil(isFull, { what: "the victim to have the mailbox", timeoutMs: KEPT_MS, intervalMs: 200 });
  },
} as const satisfies Readonly<Record<string, (network: ProcessNetwork) => Promise<void>>>;

export type HistoryName = keyof typeof HISTORIES;

async function makeBlocks(network: ProcessNetwork): Promise<void> {
  const node = network.node(0);
  const senders = await fundAccounts(node, CONNECTIONS);
  const load = { port: node.port, chainId: network.genesis.chain_id, senders, total: TRANSFERS, connections: CONNECTIONS };
  await blast(parleyBlast(load));
}

async function fillMailbox(node: ProcessNode, recipientPub: string): Promise<void> {
  const sender = boxKeyPair(new Uint8Array(randomBytes(32)));
  for (let sent = 0; sent < ENVELOPES; sent += 1) {
    const sealed = { recipientPub, sender, senderMasterPub: "", sentAt: 0 };
    const nonce = new Uint8Array(randomBytes(NONCE_BYTES));
    const envelope = sealEnvelope({ ...sealed, nonce, plaintext: new Uint8Array(ENVELOPE_TEXT_BYTES).fill(sent) });
    await node.client.broadcastEnvelope({ body: { envelope } });
  }
}
