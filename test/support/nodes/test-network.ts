// Networks over real libp2p on the loopback interface, and sample messages for them.

import { createNetwork } from "#node/composition/network/create-network.ts";
import { systemClock } from "#node/config/system-clock.ts";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import type { NetworkOptions } from "#node/network/network-options.ts";
import type {
  AdmittedEnvelope,
  ChainStatus,
  EncodedFinalBlock,
  FinalBlock,
  MailboxRequest,
  MailboxResponse,
  NetworkHandlers,
  PeerName,
  PeerNetwork,
  ReceivedBlock,
  TypingNotice,
} from "#node/network/peer-network.ts";
import { decodeBlockFront, encodeFinalBlock } from "#node/network/wire/wire-codec.ts";
import { createLog } from "#node/observability/log.ts";
import { encode } from "#shared/codec/codec.ts";
import { type Block, encodeBlock, rootHex } from "#shared/protocol/chain/block.ts";
import { commitCodec, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import { boxKeyPair, type Envelope, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import type { DeletionNotice } from "#shared/protocol/mail/mail-messages.ts";
import { HEADER_VERSION } from "#shared/protocol/primitives/limits.ts";
import { signEd25519, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { commitOf } from "../chain/test-chain.ts";
import { pollUntil } from "../host/poll-until.ts";
import { actor, CHAIN_ID, deviceKey } from "../worlds/ledger-world.ts";

/** What a network received, in order. */
export interface Received {
  readonly transactions: Transaction[];
  readonly blocks: FinalBlock[];
  readonly envelopes: Envelope[];
  readonly typing: TypingNotice[];
  readonly deletions: DeletionNotice[];
  readonly openings: BoxOpening[];
  readonly admitted: AdmittedEnvelope[];
  readonly consensus: { readonly message: ConsensusMessage; readonly from: PeerName }[];
  readonly statuses: { readonly status: ChainStatus; readonly from: PeerName }[];
  readonly gone: PeerName[];
  readonly requests: MailboxRequest[];
}

/** A running network of a test. */
export interface TestNetwork extends AsyncDisposable {
  readonly network: PeerNetwork;
  readonly received: Received;
  readonly address: string;
  /** What the node tells of itself; to be followed by publishStatus. */
  status: ChainStatus;
}

/** What a test may choose. */
export interface TestNetworkOptions extends Partial<NetworkOptions> {
  readonly handlers?: Partial<NetworkHandlers>;
}

/** Genesis hash of test networks. */
export const GENESIS_HASH = "ab".repeat(32);

const SILENT = createLog("json", { write: () => undefined });

/** Starts a network of node number n. It meets those of `bootstrap`. */
export async function startNetwork(n: number, options: TestNetworkOptions = {}): Promise<TestNetwork> {
  const received: Received = {
    transactions: [],
    blocks: [],
    envelopes: [],
    typing: [],
    deletions: [],
    openings: [],
    admitted: [],
    consensus: [],
    statuses: [],
    gone: [],
    requests: [],
  };
  const key = actor(n);
  const holder = { status: { height: n, tipHash: GENESIS_HASH, firstHeight: 0 } as ChainStatus };
  const { handlers, ...given } = options;
  const network = await createNetwork(
    {
      chainId: CHAIN_ID,
      genesisHash: GENESIS_HASH,
      nodeKey: { publicKey: key.pub, secret: key.seed },
      listen: { host: "127.0.0.1", port: 0 },
      announce: [],
      bootstrap: [],
      usesMdns: false,
      relay: "off",
      versions: { version: `0.${n}.0`, apiVersion: "0.4.0" },
      verify: verifyZip215,
      clock: systemClock,
      log: SILENT,
      ...given,
    },
    { ...recordingHandlers(received, holder), ...handlers },
  );
  return {
    network,
    received,
    get address(): string {
      const address = network.addresses()[0];
      if (address === undefined) throw new Error("The network listens nowhere");
      return address;
    },
    get status(): ChainStatus {
      return holder.status;
    },
    set status(status: ChainStatus) {
      holder.status = status;
    },
    [Symbol.asyncDispose]: () => network.stop(),
  };
}

/** Waits until each knows the other's status and gossip flows both ways. */
export async function untilConnected(a: TestNetwork, b: TestNetwork): Promise<void> {
  const knows = (one: TestNetwork, other: TestNetwork): boolean => one.network.peers().some(({ name }) => name === other.network.name);
  await pollUntil(() => knows(a, b) && knows(b, a), { what: "two nodes to know each other" });
}

/** Waits until each has received the version of the other, which shows that gossip flows. */
export async function untilGossiping(a: TestNetwork, b: TestNetwork): Promise<void> {
  await untilConnected(a, b);
  const isGossiping = (one: TestNetwork, other: TestNetwork): boolean =>
    one.network.peers().some(({ name, version }) => name === other.network.name && version !== null);
  await pollUntil(() => isGossiping(a, b) && isGossiping(b, a), { what: "two nodes to gossip", timeoutMs: 90_000 });
}

/** Envelope number n, for a recipient's device. */
export function sampleEnvelope(n: number, recipient = 7, bytes = 100): Envelope {
  const nonce = new Uint8Array(24);
  new DataView(nonce.buffer).setUint32(0, n);
  return sealEnvelope({
    plaintext: new Uint8Array(bytes).fill(n & 255),
    recipientPub: deviceKey(recipient),
    sender: boxKeyPair(new Uint8Array(32).fill(8)),
    senderMasterPub: actor(1).pub,
    nonce,
    sentAt: 1_767_225_600,
  });
}

/** A block with the commit of the test chain's only validator; its roots of state and receipts are made up. */
export function sampleBlock(height: number, transactions: readonly Transaction[] = []): FinalBlock {
  const none = "00".repeat(32);
  const block: Block = {
    header: {
      version: HEADER_VERSION,
      chainId: CHAIN_ID,
      height,
      timeMs: 1_767_225_600_000 + height,
      parentHash: none,
      lastCommitHash: none,
      txRoot: rootHex(transactions.map(encodeTransaction)),
      stateRoot: none,
      receiptsRoot: none,
      validatorsHash: none,
      nextValidatorsHash: none,
      paramsHash: none,
      evidenceRoot: rootHex([]),
      proposer: actor(9).pub,
      txCount: transactions.length,
    },
    transactions,
    evidence: [],
    lastCommit: null,
  };
  return { block, commit: commitOf(block) };
}

/** A block as gossip brings it. */
export function receivedBlock(final: FinalBlock): ReceivedBlock {
  const received = decodeBlockFront(encodeFinalBlock(final));
  if (received === undefined) throw new Error("An encoded block can be read");
  return received;
}

/** A received block with its body. */
export function finalOf({ commit, read }: ReceivedBlock): FinalBlock {
  const block = read();
  if (block === undefined) throw new Error("The bytes of a block cannot be read");
  return { block, commit };
}

/** A block as a chain stores it. */
export function encodedFinal({ block, commit }: FinalBlock): EncodedFinalBlock {
  return { block: encodeBlock(block), commit: encode(commitCodec, commit) };
}

/** A precommit of node number n. */
export function sampleVote(n: number, validatorIndex: number, height: number): ConsensusMessage {
  const unsigned = { type: "precommit", height, round: 0, blockHash: GENESIS_HASH } as const;
  const signature = signEd25519(voteSignBytes(CHAIN_ID, unsigned), actor(n).seed);
  return { type: "vote", vote: { ...unsigned, validatorIndex, signature } };
}

/** What a node responds that is asked for mailboxes: nothing, unless the test says more. */
export function mailboxPage(over: Partial<MailboxResponse> = {}): MailboxResponse {
  const { envelopes = [] } = over;
  return { envelopes, admits: envelopes.map(() => null), openings: [], deletions: [], cursor: null, ...over };
}

function recordingHandlers(received: Received, holder: { readonly status: ChainStatus }): NetworkHandlers {
  return {
    transactions: (transactions) => Promise.resolve(received.transactions.push(...transactions)).then(() => "accept"),
    block: (block) => Promise.resolve(received.blocks.push(finalOf(block))).then(() => "accept"),
    envelopes: (envelopes) => Promise.resolve(received.envelopes.push(...envelopes)).then(() => "accept"),
    typing: (notice) => void received.typing.push(notice),
    deletion: (notice) => Promise.resolve(received.deletions.push(notice)).then(() => "accept"),
    opening: (opening) => Promise.resolve(received.openings.push(opening)).then(() => "accept"),
    admitted: (items) => Promise.resolve(received.admitted.push(...items)).then(() => "accept"),
    pending: () => undefined,
    proposalUse: ({ height }) => (height === holder.status.height + 1 ? "now" : "none"),
    consensus: (message, from) => void received.consensus.push({ message, from }),
    status: (status, from) => void received.statuses.push({ status, from }),
    disconnected: (peer) => void received.gone.push(peer),
    ownStatus: () => holder.status,
    blocks: () => [],
    mailbox: (request): MailboxResponse => {
      received.requests.push(request);
      return mailboxPage();
    },
  };
}
