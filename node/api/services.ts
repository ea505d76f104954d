// What the interface needs of the rest of the node: small interfaces that the composition root fills.
import type { CallRelay } from "#node/network/calls/call-relay.ts";
import type { NetworkFigures } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import type { ArchiveReads } from "#node/queries/archive-reads.ts";
import type { Awaitable } from "#node/queries/awaitable.ts";
import type { ChainEvents, TransactionPool } from "#node/queries/chain-events.ts";
import type { ReadQueries } from "#node/queries/read-queries.ts";
import type { HeldMail } from "#node/relay/intake/held-mail.ts";
import type { MailForGateways } from "#node/relay/intake/mail-elsewhere.ts";
import type { MailClient, MailService } from "#node/relay/intake/mail-service.ts";
import type { CardExchange } from "#node/relay/keepers/card-exchange.ts";
import type { GatewayReader } from "#node/relay/readers/gateway-readers.ts";
import type { TypingExchange } from "#node/relay/typing-exchange.ts";
import type { ChainFeed } from "#node/storage/chain/feed/chain-feed.ts";
import type { MailSource } from "#node/storage/mailbox/mail-sources.ts";
import type { MailFeed } from "#node/storage/mailbox/sharing/mail-feed.ts";
import type { Output } from "#shared/api/api.ts";
import type { NodeStatus, UpdateCheck, VersionInfo } from "#shared/api/schemas/discovery.ts";
import type { DutyRequest } from "#shared/api/schemas/duties.ts";
import type { PushFrame } from "#shared/api/socket/frames.ts";
import type { PushTypeOf, TopicText } from "#shared/api/socket/topics.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { BoxDeletion } from "#shared/protocol/mail/box-proof.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import type { HeavyReads } from "./heavy-operations.ts";

/** What operators watch of consensus. */
export interface ConsensusDescription {
  /** Key of the node and of its account. */
  readonly nodeKey: PublicKeyHex;
  /** Key with which the node would vote: its own, or one that a signer has. */
  readonly validatorKey: PublicKeyHex;
  /** The signer's connection, and what became of requests; absent where the node has the key. */
  signer?(): { readonly isConnected: boolean; readonly answers: Readonly<Record<string, number>> };
  /** Round at the height after the tip, whether the key is in the set of that height, and whether the node votes there. */
  status(): { readonly round: number; readonly isValidator: boolean; readonly isVoting: boolean };
  validatorsAt(height: number): ValidatorSet;
  /** Calls back with the seconds that making the consensus log durable took; returns the way to stop that. */
  onLogSync(listener: (seconds: number) => void): () => void;
}

/** What came of snapshots since the start. */
export interface SnapshotNumbers {
  /** Of the newest one; 0 without any. */
  readonly height: number;
  readonly made: number;
  readonly failed: number;
  /** Bytes of responses to nodes that join. */
  readonly sentBytes: number;
}

/** What the node holds and fetches of old blocks. */
export interface OldBlockNumbers {
  /** The lowest block that it holds. */
  readonly firstHeight: number;
  /** What fetching older ones is at: `done` where there is nothing to fetch. */
  readonly state: string;
  /** Bytes of them that peers have sent since the start. */
  readonly bytes: number;
  /** What became of their files since the start. */
  readonly segments: Readonly<Record<string, number>>;
}

/** What the node knows about itself. */
export interface NodeDescription {
  readonly chainId: string;
  readonly genesis: Genesis;
  readonly genesisHash: string;
  /** RFC 3339. */
  readonly genesisTime: string;
  readonly isDevelopment: boolean;
  readonly mode: string;
  readonly version: VersionInfo;
  /** Monotonic time of the start, ms. */
  readonly startedAtMs: number;
  sync(): NodeStatus["sync"];
  /** Which blocks the node holds; a light node holds none. */
  history?(): NodeStatus["history"];
  /** What is kept of old blocks, and of own accounts; a light node has none. */
  keptHistory?(): Output<"getKeptHistory">;
  /** Versions of headers and rules that the program has; those of this release when absent. */
  readonly knownVersions?: readonly number[];
  /** The approved change of the network that waits. */
  upgrade?(): NodeStatus["upgrade"];
  /** The node's part in consensus; a light node has none. */
  readonly consensus?: ConsensusDescription;
  /** Calls at which the engine failed since the start, and modules that are interpreted because it ended a process at them. */
  contracts?(): { readonly engineFaults: number; readonly interpretedModules: number };
  /** Keepers of which this node has evidence that they lied. */
  keptLies?(): number;
  /** Files of old blocks that are damaged, of a node that has a chain. */
  damagedFiles?(): number;
  /** Old blocks of a node that has a chain. */
  oldBlocks?(): OldBlockNumbers;
  /** Snapshots of a node that has a chain. */
  snapshots?(): SnapshotNumbers;
  peers(): Output<"getNetworkInfo">["peers"];
  /** Figures of the network; undefined while there is none. */
  network?(): NetworkFigures | undefined;
  /** Multiaddresses at which other nodes can dial this one. */
  p2pAddresses(): readonly string[];
  /** What a light node knows; absent on others. */
  light?(): NonNullable<NodeStatus["light"]>;
  /** Room on the disk by part. */
  storage(): NonNullable<NodeStatus["storage"]>;
}

/** Transactions of the node's own account. */
export interface OwnDuties {
  /** Signs and submits; the id of the transaction. @throws CodedError BAD_REQUEST, TX_REJECTED or of the admission. */
  request(request: DutyRequest): Promise<string>;
}

/** Gifts on a development network. */
export interface Faucet {
  /** Submits a transfer from the faucet's account. @throws CodedError of the admission. */
  give(to: PublicKeyHex, amountUt: AmountUt): Awaitable<Output<"requestFaucet">>;
}

/** What connections of clients use. */
export interface SocketServices
  extends Pick<ApiServices, "mempool" | "relay" | "typing" | "events" | "verify" | "clock" | "random" | "log" | "chainPushes"> {
  readonly node: Pick<NodeDescription, "chainId">;
  readonly explorer: Pick<ReadQueries["explorer"], "identity" | "deviceList">;
}

/** Subscribers of all connections, as pushes reach them. */
export interface PushTarget {
  /** Calls back when a topic gets its first subscriber and when its last one goes; returns the way to stop that. */
  onChange(listener: (name: TopicText, hasSubscribers: boolean) => void): () => void;
  publish<Text extends TopicText>(name: Text, push: Omit<PushFrame<PushTypeOf<Text>>, "topic">): void;
}

/** Pushes about the chain that another node makes. */
export interface ChainPushes {
  /** Publishes to those who listen; returns the way to stop that. */
  attach(target: PushTarget): () => void;
  /** @throws CodedError RATE_LIMITED when so many topics are followed that another one finds no room */
  assertRoom(topic: TopicText): void;
}

/** What gateways of the node's operator have of it. */
export interface GatewayFeed extends MailFeed {
  /** These are read at a gateway; gives how many of them there is room for. */
  serve(readers: readonly GatewayReader[]): number;
  /**
   * What an owner signed at a gateway, at whatever height; without `client` it counts as the gateways'.
   * @throws CodedError BAD_REQUEST, FORBIDDEN or RELAY_FULL
   */
  takeOpening(opening: BoxOpening, client?: MailSource): Promise<void>;
  takeDeletion(deletion: BoxDeletion): Promise<void>;
  /** An envelope that a client handed in at a gateway. @throws CodedError as {@link MailService.broadcast} */
  broadcast(value: unknown, client: MailClient, admit?: string): Promise<unknown>;
  /** X25519 key of the node, by which gateways know it. */
  readonly publicKey: X25519KeyHex;
  /** Mail that other nodes have; undefined while this one has all that there is. */
  readonly elsewhere: MailForGateways | undefined;
}

/** Everything that the interface uses. */
export interface ApiServices extends ReadQueries {
  readonly node: NodeDescription;
  readonly mempool: TransactionPool;
  readonly relay: MailService;
  /** Public cards of devices, here and at other nodes. */
  readonly cards: Pick<CardExchange, "publish" | "read" | "isAtHand">;
  /** Mail that is sent at a time; absent where none is held. */
  readonly heldMail?: HeldMail;
  /** Typing notices from and to other nodes; absent on a node alone. */
  readonly typing?: TypingExchange;
  readonly events: ChainEvents;
  /** Absent where blocks are made into pushes here. */
  readonly chainPushes?: ChainPushes;
  /** What another program needs to hold the same mail; absent on light nodes. */
  readonly mailFeed?: GatewayFeed;
  /** Blocks for programs that show the same of them; absent on light nodes. */
  readonly chainFeed?: ChainFeed;
  /** Where heavy reads are answered; on the calling thread when absent. */
  readonly heavyReads?: HeavyReads;
  /** Blocks that this node does not hold, from others; absent on a node alone and on light nodes. */
  readonly archive?: ArchiveReads | undefined;
  /** Absent on networks without one. */
  readonly faucet?: Faucet;
  /** What the owner asks the node to sign with its own key; absent on light nodes. */
  readonly duties?: OwnDuties;
  /** What one T is worth, from a source that the owner names. @throws CodedError BAD_REQUEST, RATE_LIMITED, UPSTREAM_FAILED */
  readonly rates?: {
    rateAt(place: { readonly url: string; readonly path: string }): Promise<{ readonly rate: number; readonly atMs: number }>;
  };
  /** What a page says of itself, for its owner. @throws CodedError BAD_REQUEST, RATE_LIMITED, UPSTREAM_FAILED */
  readonly pages?: {
    summaryOf(link: string): Promise<{ readonly title: string; readonly description: string; readonly picture: Uint8Array | undefined }>;
  };
  /** Absent where none is offered. */
  readonly callRelay?: Pick<CallRelay, "issue" | "figures">;
  /** Absent when no update source is configured. @throws CodedError UPSTREAM_FAILED */
  readonly checkForUpdate?: () => Awaitable<UpdateCheck>;
  /** The consensus rule for signatures; may answer later, from a worker. */
  readonly verify: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean | Promise<boolean>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log;
}
