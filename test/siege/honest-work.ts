// Work of honest users and nodes whose rate is measured, at rest and under an attack. All of it goes on until it is stopped.
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { boxKeyPair, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { NONCE_BYTES } from "#shared/protocol/primitives/limits.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { type BenchAccount, createAccount, signedTransfer } from "../bench/load/accounts.ts";
import { fundAccounts } from "../bench/load/closed-loop.ts";
import { LiveFeed } from "../bench/load/live.ts";
import { HttpConnection, httpRequest } from "../bench/load/raw-http.ts";
import { pollUntil } from "../support/host/poll-until.ts";
import type { MailFigures } from "../support/nodes/mail-count.ts";
import type { ProcessNetwork, ProcessNode } from "../support/nodes/process-network.ts";
import { startNetwork, type TestNetwork, type TestNetworkOptions } from "../support/nodes/test-network.ts";
import { startContactMail } from "./contact-mail.ts";
import { keptBox } from "./kept-box.ts";
import { p2pAddressOf } from "./siege-network.ts";

/** Work that goes on. */
export interface Work {
  /** How much is done, of all time. */
  done(): number;
  /** Why something was not done, and how often. */
  readonly refusals: Map<string, number>;
  /** What came of messages, where these are counted one by one. */
  readonly mail?: CountedMail;
  stop(): Promise<void>;
}

/** Messages by the time in which they are sent. */
export interface CountedMail {
  /** What is sent from now on is of this time. */
  begin(phase: string): void;
  /** Those of the time when all have arrived, or when the last one is lost. */
  figures(phase: string): Promise<MailFigures>;
}

/** What a kind of work is. */
interface WorkKind {
  readonly unit: string;
  /** Begins to work for the victim, node 0. */
  start(network: ProcessNetwork): Promise<Work>;
}

const CLIENTS = 4;
/** Two keep below the rate of one address. */
const LIMITED_CLIENTS = 2;
/** A transfer that is in no block after this is not waited for. */
const LOST_MS = 15_000;
const RETRY_MS = 100;
const READ_PAUSE_MS = 25;
const MAIL_PAUSE_MS = 25;
/** Within the pace at which strangers' handshakes begin, with an attacker from one other address beside them. */
const JOIN_PAUSE_MS = 200;
const LOOK_MS = 50;
const SYNC_BLOCKS = 32;
const SYNC_PAUSE_MS = 50;
const FIRST_SEED = 1;
const FIRST_DELIVERIES = 3;

/** Runs loops until it is stopped; a failure is counted, and the loop goes on. */
class Loops implements Work {
  readonly refusals = new Map<string, number>();
  readonly #ending = new AbortController();
  readonly #loops: Promise<void>[] = [];
  readonly #closers: (() => void | Promise<void>)[] = [];
  #done = 0;

  done(): number {
    return this.#done;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Repeats a step, which gives how much it did. */
  repeat(step: () => Promise<number>): void {
    const loop = async (): Promise<void> => {
      while (!this.signal.aborted) {
        try {
          this.#done += await step();
        } catch (error) {
          if (this.signal.aborted) return;
          const words = error instanceof Error ? error.message.slice(0, 80) : String(error);
          this.refusals.set(words, (this.refusals.get(words) ?? 0) + 1);
          await delay(RETRY_MS);
        }
      }
    };
    this.#loops.push(loop());
  }

  /** To be closed at the end, in reverse order. */
  onEnd(close: () => void | Promise<void>): void {
    this.#closers.unshift(close);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    for (const close of this.#closers) await close();
    await Promise.all(this.#loops);
  }
}

async function startTransfers(network: ProcessNetwork, clients: number): Promise<Work> {
  const node = network.node(0);
  const work = new Loops();
  const accounts = await fundAccounts(node, clients);
  const live = await LiveFeed.open(node.port, ["txs"]);
  work.onEnd(() => live.close());
  const chainId = network.genesis.chain_id;
  const to = createAccount().publicKey;
  for (const account of accounts) work.repeat(await payer(node, work, { account, to, chainId, live }));
  return work;
}

interface PayerParts {
  readonly account: BenchAccount;
  readonly to: string;
  readonly chainId: string;
  readonly live: LiveFeed;
}

/** Pays, and waits until the payment is in a block. */
async function payer({ port }: ProcessNode, work: Loops, { account, to, chainId, live }: PayerParts): Promise<() => Promise<number>> {
  let connection = await HttpConnection.open(port);
  work.onEnd(() => connection.close());
  return async () => {
    const tx = signedTransfer(account, { to, chainId });
    const sending = connection.send(httpRequest("POST", "/api/tx", JSON.stringify(tx)));
    const response = await sending.catch(async (error: unknown) => {
      connection.close();
      connection = await HttpConnection.open(port);
      throw error;
    });
    if (response.status !== 200) throw new Error(`a transfer was answered ${response.status}`);
    const lost = delay(LOST_MS, "lost" as const, { signal: work.signal, ref: false });
    if ((await Promise.race([live.arrived(tx.id), lost])) === "lost") throw new Error("a transfer was in no block in time");
    return 1;
  };
}

/** An honest node without a chain of its own that knows the victim. */
async function honestPeer(network: ProcessNetwork): Promise<TestNetwork> {
  const secret = new Uint8Array(randomBytes(32));
  const genesis = genesisHash(network.genesis);
  const options: TestNetworkOptions = {
    chainId: network.genesis.chain_id,
    genesisHash: genesis,
    nodeKey: { publicKey: toHex(ed25519PublicKey(secret)), secret },
    bootstrap: [p2pAddressOf(network, 0)],
    handlers: { ownStatus: () => ({ height: 0, tipHash: genesis, firstHeight: 1 }) },
  };
  const peer = await startNetwork(1, options);
  try {
    await pollUntil(() => peer.received.statuses.length > 0, { what: "the victim's status", intervalMs: 5, timeoutMs: 60_000 });
  } catch (error) {
    await peer.network.stop();
    throw error;
  }
  return peer;
}

interface Delivery {
  readonly from: ProcessNode;
  readonly to: ProcessNode;
  readonly recipientPub: string;
}

/** Hands in an envelope and waits until it is pushed at the other node. */
async function startDeliveries({ from, to, recipientPub }: Delivery): Promise<Work> {
  const work = new Loops();
  const sender = boxKeyPair(new Uint8Array(randomBytes(32)));
  const live = await LiveFeed.open(to.port, [`inbox:${recipientPub}`]);
  work.onEnd(() => live.close());
  work.repeat(async () => {
    const nonce = new Uint8Array(randomBytes(NONCE_BYTES));
    const envelope = sealEnvelope({ plaintext: utf8("hello"), recipientPub, sender, senderMasterPub: "", nonce, sentAt: 0 });
    await from.client.broadcastEnvelope({ body: { envelope } });
    const lost = delay(LOST_MS, "lost" as const, { signal: work.signal, ref: false });
    if ((await Promise.race([live.arrived(envelope.id), lost])) === "lost") throw new Error("an envelope did not arrive in time");
    await delay(MAIL_PAUSE_MS);
    return 1;
  });
  return work;
}

/** Kinds of honest work. */
export const WORKS = {
  transfers: { unit: "transfers/s", start: (network) => startTransfers(network, CLIENTS) },
  /** For nodes that hold clients of this machine to the limits of strangers. */
  limitedTransfers: { unit: "transfers/s", start: (network) => startTransfers(network, LIMITED_CLIENTS) },
  /** Blocks of the victim, with transfers to put in. */
  blocks: {
    unit: "blocks/s",
    async start(network): Promise<Work> {
      const transfers = await startTransfers(network, CLIENTS);
      const looking = new Loops();
      let height = 0;
      looking.repeat(async () => {
        height = (await network.node(0).client.getNetstats({})).height;
        await delay(LOOK_MS);
        return 1;
      });
      return {
        refusals: transfers.refusals,
        done: (): number => height,
        stop: async (): Promise<void> => {
          await looking.stop();
          await transfers.stop();
        },
      };
    },
  },
  /** Balances read from the last node, which is the light one, one after the other. */
  reads: {
    unit: "reads/s",
    start: (network): Promise<Work> => {
      const work = new Loops();
      const addr = network.genesis.accounts[0]?.pub_key ?? "";
      work.repeat(async () => {
        await network.node(network.nodes.length - 1).client.getAddress({ addr, limit: 1 });
        await delay(READ_PAUSE_MS);
        return 1;
      });
      return Promise.resolve(work);
    },
  },
  /** New nodes that connect and learn the victim's height, one after the other. */
  joins: {
    unit: "joins/s",
    start: (network): Promise<Work> => {
      const work = new Loops();
      work.repeat(async () => {
        const peer = await honestPeer(network);
        await peer.network.stop();
        await delay(JOIN_PAUSE_MS);
        return 1;
      });
      return Promise.resolve(work);
    },
  },
  /** Blocks that a node which catches up gets from the victim. */
  sync: {
    unit: "sync blocks/s",
    async start(network): Promise<Work> {
      const work = new Loops();
      const peer = await honestPeer(network);
      work.onEnd(() => peer.network.stop());
      const victim = p2pAddressOf(network, 0).split("/p2p/")[1] ?? "";
      work.repeat(async () => {
        const blocks = await peer.network.requestBlocks(
          victim,
          1,
          SYNC_BLOCKS,
          AbortSignal.any([work.signal, AbortSignal.timeout(LOST_MS)]),
        );
        await delay(SYNC_PAUSE_MS);
        return blocks.length;
      });
      return work;
    },
  },
  /** Envelopes through one node to a subscriber of the victim. */
  deliveries: {
    unit: "deliveries/s",
    start: (network) =>
      startDeliveries({
        from: network.node(network.nodes.length - 1),
        to: network.node(0),
        recipientPub: toHex(boxKeyPair(new Uint8Array(randomBytes(32))).publicKey),
      }),
  },
  /** Envelopes between clients of the last two nodes, which keep nothing, to a mailbox that the victim keeps first. */
  keptDeliveries: {
    unit: "kept/s",
    async start(network): Promise<Work> {
      const [from, to] = [network.node(network.nodes.length - 2), network.node(network.nodes.length - 1)];
      const work = await startDeliveries({ from, to, recipientPub: keptBox(network, FIRST_SEED) });
      // By way of keepers, once both nodes have found them.
      await pollUntil(() => work.done() >= FIRST_DELIVERIES, { what: "the first envelopes to arrive", timeoutMs: 60_000 });
      return work;
    },
  },
  /** Messages of a contact to a box that is open for it, likewise, each with the time that it takes. */
  contactMail: { unit: "contact's messages/s", start: startContactMail },
} as const satisfies Readonly<Record<string, WorkKind>>;

export type WorkName = keyof typeof WORKS;
