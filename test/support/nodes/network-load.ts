// Traffic for a network: transfers and envelopes through whatever node answers. Remembers what was acknowledged by whom.

import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { boxKeyPair, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { NONCE_BYTES } from "#shared/protocol/primitives/limits.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { pollUntil } from "../host/poll-until.ts";
import { type LoadAccount, loadAccount, signedTransfer } from "./node-load.ts";
import type { ProcessNetwork, ProcessNode } from "./process-network.ts";

/** A block that a node said a transaction to be in. */
export interface Placement {
  readonly height: number;
  readonly hash: string;
  readonly node: number;
}

const ACCOUNTS = 4;
const MAILBOXES = 16;
const FUNDS_UT = 900_000_000;

/** Keeps sending until it is stopped. */
export class NetworkLoad {
  /** Where each transaction was said to be. */
  readonly placements = new Map<string, Placement>();
  /** Envelopes that some node took. */
  readonly envelopes = new Set<string>();
  /** Mailboxes of the envelopes, which take turns: one is full after 2,000, and two nodes may take different last ones. */
  readonly recipients: readonly string[] = Array.from({ length: MAILBOXES }, () =>
    toHex(boxKeyPair(new Uint8Array(randomBytes(32))).publicKey),
  );
  /** Contradictions between what nodes said. */
  readonly contradictions: string[] = [];
  readonly #network: ProcessNetwork;
  readonly #accounts: readonly LoadAccount[] = Array.from({ length: ACCOUNTS }, () => loadAccount(new Uint8Array(randomBytes(32))));
  readonly #pending = new Map<string, number>();
  readonly #workers: Promise<void>[] = [];
  #isStopped = false;
  #isPaused = false;

  constructor(network: ProcessNetwork) {
    this.#network = network;
  }

  /** Funds the accounts by the faucet of a node, and begins. */
  async start(pauseMs = 20): Promise<void> {
    const node = this.#network.node(0);
    for (const { publicKey } of this.#accounts) {
      const { id } = await node.client.requestFaucet({ body: { to: publicKey, amount_ut: FUNDS_UT } });
      await pollUntil(() => readCommitted(node.client, id), { what: "the accounts to be funded" });
    }
    for (const account of this.#accounts) this.#workers.push(this.#transfer(account, pauseMs));
    this.#workers.push(this.#send(pauseMs), this.#poll());
  }

  /** Sends nothing for a while, or continues. */
  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
  }

  /** Stops sending. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#workers);
  }

  async #transfer(from: LoadAccount, pauseMs: number): Promise<void> {
    for (let sent = 0; !this.#isStopped; sent += 1) {
      const to = this.#accounts[(sent + 1) % ACCOUNTS] ?? from;
      const tx = signedTransfer(from, to.publicKey, this.#network.genesis.chain_id);
      const node = this.#someNode();
      // A node that is away, behind or full refuses: what counts is what was acknowledged.
      await node?.client.submitTransaction({ body: tx }).then(
        () => this.#pending.set(tx.id, node.index),
        () => undefined,
      );
      await delay(pauseMs);
    }
  }

  async #send(pauseMs: number): Promise<void> {
    const sender = boxKeyPair(new Uint8Array(randomBytes(32)));
    for (let sent = 0; !this.#isStopped; sent += 1) {
      const recipientPub = this.recipients[sent % MAILBOXES] ?? "";
      const nonce = new Uint8Array(randomBytes(NONCE_BYTES));
      const sealed = { plaintext: utf8("hello"), recipientPub, sender, senderMasterPub: "", nonce, sentAt: 0 };
      const node = this.#someNode();
      await node?.client.broadcastEnvelope({ body: { envelope: sealEnvelope(sealed) } }).then(
        ({ id }) => this.envelopes.add(id),
        () => undefined,
      );
      await delay(pauseMs * 4);
    }
  }

  /** Asks nodes in turn where transactions are. */
  async #poll(): Promise<void> {
    while (!this.#isStopped) {
      for (const id of [...this.#pending.keys()].slice(0, 50)) await this.#ask(id);
      await delay(50);
    }
  }

  async #ask(id: string): Promise<void> {
    const node = this.#someNode();
    const found = node && (await readCommitted(node.client, id).catch(() => undefined));
    if (node === undefined || found === undefined) return;
    const known = this.placements.get(id);
    if (known !== undefined && known.hash !== found.block_hash) this.contradictions.push(`${id}: ${known.hash} and ${found.block_hash}`);
    this.placements.set(id, { height: found.block_index, hash: found.block_hash, node: node.index });
    this.#pending.delete(id);
  }

  #someNode(): ProcessNode | undefined {
    const running = this.#isPaused ? [] : this.#network.nodes.filter((node) => node.isRunning);
    return running[Math.floor(Math.random() * running.length)];
  }
}
