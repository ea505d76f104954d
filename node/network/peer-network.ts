// What the rest of the node knows of the network: gossip in both directions, and requests between two peers.
// Nothing here names libp2p; only the implementation does.

import type { ConsensusMessage, MessageSender } from "#node/engine/consensus-network.ts";
import type { ProposalUse } from "#node/engine/engine-interface.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import type { BlockHeader, HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { Commit, Proposal } from "#shared/protocol/chain/vote.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { BoxDeletion } from "#shared/protocol/mail/box-proof.ts";
import type { CarryOutcome, CarryRequest, CarryResponse } from "#shared/protocol/mail/carry-messages.ts";
import type { Envelope, X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { DeletionNotice, MailRequest, MailResponse, MailTarget } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

/** A peer's libp2p id, as text. It follows from the peer's node key. */
export type PeerName = string;

/**
 * What gossip was found to be: `accept` forwards it, `ignore` drops it without penalty (seen before, not now), `reject` drops it and
 * costs the sender score. Only what no honest node would ever forward is rejected.
 */
export type ValidationResult = "accept" | "ignore" | "reject";

/** A block with the proof that it is final. */
export interface FinalBlock {
  readonly block: Block;
  readonly commit: Commit;
}

/**
 * A block as another node brings it: its body, which may have megabytes, is read once header and commit have shown that it is worth it.
 * Nothing is checked yet.
 */
export interface ReceivedBlock {
  readonly header: BlockHeader;
  readonly commit: Commit;
  /** The whole block. */
  readonly encoded: Uint8Array;
  /** Decodes the block; undefined when its bytes are none. */
  read(): Block | undefined;
}

/** A final block in the encodings in which it is stored. */
export interface EncodedFinalBlock {
  readonly block: Uint8Array;
  /** CBOR of the commit. */
  readonly commit: Uint8Array;
}

/** How far a node is. */
export interface ChainStatus {
  readonly height: Height;
  readonly tipHash: HashHex;
  /** First height whose block the node can still serve; above `height` for a node that has none. */
  readonly firstHeight: Height;
  /** First height whose header it has; undefined where the peer does not say. */
  readonly firstHeader?: Height | undefined;
  /** Heights whose state it serves to nodes that join; undefined where the peer does not say. */
  readonly snapshots?: readonly Height[] | undefined;
  /** First height whose block it means to keep: it drops those below as soon as it may; undefined where the peer does not say. */
  readonly keepsFrom?: Height | undefined;
}

/** True for a node that has blocks to serve. */
export function holdsBlocks({ height, firstHeight }: ChainStatus): boolean {
  return firstHeight <= height;
}

/** True for a node that stores a chain, be it of genesis alone, whose next block will be the first it serves. */
export function holdsChain({ height, firstHeight }: ChainStatus): boolean {
  return firstHeight <= Math.max(height, 1);
}

/** A user types; never stored. */
export interface TypingNotice {
  readonly to: X25519KeyHex;
  readonly from: X25519KeyHex;
}

/** An envelope to an opened box, with what proves that its owner wants it: the opening, and the signature of its write key (base64). */
export interface AdmittedEnvelope {
  readonly opening: BoxOpening;
  readonly envelope: Envelope;
  readonly admit: string;
}

/** Asks for envelopes of some recipients that a peer received after a time. */
export interface MailboxRequest {
  readonly recipients: readonly X25519KeyHex[];
  /** Unix seconds, by the asked node's clock of arrival. */
  readonly since: number;
  /** Where an earlier response ended. */
  readonly cursor: string | null;
}

/** A page of envelopes, and of what their owners opened and deleted; `cursor` is null at the end. */
export interface MailboxResponse {
  readonly envelopes: readonly Envelope[];
  /** Of each envelope, the signature by which its box took it, base64. */
  readonly admits: readonly (string | null)[];
  readonly openings: readonly BoxOpening[];
  readonly deletions: readonly BoxDeletion[];
  readonly cursor: string | null;
}

/** A request of a light node, or of one that joins. */
export interface EncodedRequest {
  readonly bytes: Uint8Array;
  /** What an honest response has at most; the limit of the protocol when absent. */
  readonly responseBytes?: number;
}

/** What a peer did wrong; each has its cost in score. */
export type PeerOffence = "malformed" | "invalid" | "wrongChain" | "unresponsive" | "flood" | "lie";

/** A connected peer. Texts come from the peer: they are cut to a length and free of control characters, nothing more. */
export interface PeerView {
  readonly name: PeerName;
  /** Ed25519 key of the node, when the id carries one. */
  readonly nodeKey: PublicKeyHex | null;
  readonly address: string;
  readonly direction: "inbound" | "outbound";
  /** True when another node carries the connection. */
  readonly isRelayed: boolean;
  /** Null until the peer announced it. */
  readonly version: string | null;
  readonly apiVersion: string | null;
  /** Last status of the peer, null before the first. */
  readonly status: ChainStatus | null;
  readonly connectedAtMs: number;
  /** Time there and back, ms; null before it was measured. */
  readonly latencyMs: number | null;
  readonly score: number;
}

/** How many there are, for metrics. Counts of what happened are since the start. */
export interface NetworkFigures {
  /** Connections by what gives them their slot; `relayed` ones, and those that are not read at the moment, are among the others too. */
  readonly connections: Readonly<Record<"inbound" | "outbound" | "validator" | "named" | "relayed" | "unread", number>>;
  readonly bans: Readonly<Record<"peer" | "address" | "subnet", number>>;
  readonly offences: Readonly<Record<PeerOffence, number>>;
  /** Connections that made room for others, for which there was none, and handshakes that took too long while others waited. */
  readonly turnedAway: Readonly<Record<"evicted" | "refused" | "displaced", number>>;
  /** Known addresses: reported ones, and those that were reached. */
  readonly addresses: Readonly<Record<"new" | "tried", number>>;
  /** Bytes of responses under way, and those below all streams. */
  readonly waitingBytes: Readonly<Record<"responses" | "backlog", number>>;
}

/** What the node does with what peers send. Handlers may be slow; none may throw. */
export interface NetworkHandlers {
  transactions(transactions: readonly Transaction[], from: PeerName): Promise<ValidationResult>;
  block(received: ReceivedBlock, from: PeerName): Promise<ValidationResult>;
  envelopes(envelopes: readonly Envelope[], from: PeerName): Promise<ValidationResult>;
  typing(notice: TypingNotice, from: PeerName): void;
  deletion(notice: DeletionNotice, from: PeerName): Promise<ValidationResult>;
  opening(opening: BoxOpening, from: PeerName): Promise<ValidationResult>;
  admitted(items: readonly AdmittedEnvelope[], from: PeerName): Promise<ValidationResult>;
  /** The transaction that waits here under an id: one that comes again need not be decoded. */
  pending(id: string): Transaction | undefined;
  /** Unchecked; the engine checks, and blames `sender`. `bytes` is the size of the message. */
  consensus(message: ConsensusMessage, from: PeerName, sender: MessageSender, bytes: number): void;
  /** What a proposal would be of use for, whose block is not here yet. */
  proposalUse(proposal: Proposal): ProposalUse;
  /** A peer sent its status, the first or a later one. */
  status(status: ChainStatus, from: PeerName): void;
  disconnected(peer: PeerName): void;
  /** Own status, for those who ask. */
  ownStatus(): ChainStatus;
  /** Encoded blocks with commits from a height on, each read when it is its turn: may be fewer than asked, in order, without gaps. */
  blocks(from: Height, count: number): Iterable<EncodedFinalBlock>;
  mailbox(request: MailboxRequest): MailboxResponse;
  /**
   * Response to a request to a keeper of mail, or to one of its users; undefined for what no honest node asks. A node without this does not
   * serve the protocol.
   */
  mail?(request: MailRequest, from: PeerName): Promise<MailResponse | undefined>;
  /** Likewise to a carrier of mail, to a keeper by one, or to a node by its carrier. A node without this does not serve the protocol. */
  carry?(request: CarryRequest, from: PeerName): Promise<CarryResponse | undefined>;
  /**
   * Response to a request of a node that holds no chain, both encoded; undefined when the request is malformed. A node without this, or in
   * the role `light`, does not serve the protocol.
   */
  light?(request: Uint8Array, from: PeerName): Promise<Uint8Array | undefined>;
  /** The same of a node that joins by a snapshot. */
  snapshot?(request: Uint8Array, from: PeerName): Promise<Uint8Array | undefined>;
}

/** Who a peer is when its work is counted. */
export interface PeerParty {
  /** Its address (IPv6: a /64) where that limits it, else its name. */
  readonly name: string;
  /** `exempt`: the chain needs it, or the operator named it; `useful`: it was the first with a block or a transaction lately. */
  readonly standing: "exempt" | "useful" | "stranger";
}

/** The running network. Publishing never throws and never waits: what no peer can take is dropped. */
export interface PeerNetwork {
  readonly name: PeerName;
  /** Addresses with the own id, for others to dial. */
  addresses(): readonly string[];
  peers(): readonly PeerView[];
  partyOf(peer: PeerName): PeerParty;
  figures(): NetworkFigures;
  publishTransactions(transactions: readonly Transaction[]): void;
  publishBlock(final: FinalBlock): void;
  publishEnvelopes(envelopes: readonly Envelope[]): void;
  publishTyping(notice: TypingNotice): void;
  publishDeletion(notice: DeletionNotice): void;
  publishOpening(opening: BoxOpening): void;
  publishAdmitted(items: readonly AdmittedEnvelope[]): void;
  /** Sends the peers how far this node is now. */
  publishStatus(status: ChainStatus): void;
  /** To every validator by a stream of its own, over gossip where there is none. */
  sendConsensus(message: ConsensusMessage): void;
  /** Node keys of the validators of the next height: connections to them are maintained. */
  setValidators(keys: readonly PublicKeyHex[]): void;
  /** @throws CodedError when the peer does not respond in time or its response is malformed; its score is then lowered. */
  requestBlocks(peer: PeerName, from: Height, count: number, signal: AbortSignal): Promise<readonly ReceivedBlock[]>;
  /** @throws CodedError as {@link PeerNetwork.requestBlocks} */
  requestMailbox(peer: PeerName, request: MailboxRequest, signal: AbortSignal): Promise<MailboxResponse>;
  /** The response of a keeper, which is dialled when it is not connected. @throws CodedError as {@link PeerNetwork.requestBlocks} */
  requestMail(target: MailTarget, request: MailRequest, signal: AbortSignal): Promise<MailResponse>;
  /** What a carrier of mail responds, likewise. @throws CodedError as {@link PeerNetwork.requestBlocks} */
  requestCarry(target: MailTarget, request: CarryRequest, signal: AbortSignal): Promise<CarryOutcome>;
  /** The encoded response to a request of a light node; undecoded. @throws CodedError as {@link PeerNetwork.requestBlocks} */
  requestLight(peer: PeerName, request: EncodedRequest, signal: AbortSignal): Promise<Uint8Array>;
  /** The same of a node that joins. @throws CodedError as {@link PeerNetwork.requestBlocks} */
  requestSnapshot(peer: PeerName, request: EncodedRequest, signal: AbortSignal): Promise<Uint8Array>;
  /** Lowers the score of a peer; at the bottom it is disconnected and banned for a while. */
  report(peer: PeerName, offence: PeerOffence): void;
  stop(): Promise<void>;
}
