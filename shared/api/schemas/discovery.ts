// Schemas of what a node says about itself and its network.
import type { Static, TArray, TString } from "typebox";
import * as Type from "typebox";
import { ValidatorRecord } from "./chain.ts";
import { Count, DateTime, Hash, Height, OlderNodes, oneOf, PublicKey, UnixSeconds } from "./primitives.ts";

export const BuildInfo = Type.Object(
  { tag: Type.String(), commit: Type.String(), date: Type.String(), dirty: Type.String({ description: "true or false" }) },
  { title: "BuildInfo" },
);

export const VersionInfo = Type.Object(
  {
    node_version: Type.String(),
    protocol_version: Type.Integer(),
    features: Type.Array(Type.String()),
    chain_id: Type.Optional(Type.String()),
    build: BuildInfo,
  },
  { title: "VersionInfo" },
);

export const PeerInfo = Type.Object(
  {
    id: Type.String({ description: "libp2p id" }),
    version: Type.String({ description: "What the peer announces; empty until it does" }),
    address: Type.Optional(Type.String({ description: "Multiaddress of the connection" })),
    direction: Type.Optional(oneOf(["inbound", "outbound"])),
    relayed: Type.Optional(Type.Boolean({ description: "True when another node carries the connection" })),
    node_key: Type.Optional(Type.String({ description: "Ed25519 key of the node, hex" })),
    height: Type.Optional(Height),
    connected_seconds: Type.Optional(Type.Integer()),
    latency_ms: Type.Optional(
      Type.Number({ minimum: 0, description: "Time there and back, quickest of the latest answers; absent before the first" }),
    ),
    score: Type.Optional(Type.Number({ description: "0 for a peer that behaves, less for each offence; at -20 it is banned for a while" })),
  },
  { title: "PeerInfo" },
);

export const PeerList = Type.Object({ count: Count, peers: Type.Array(PeerInfo) }, { title: "PeerList" });

export const LatestRelease = Type.Object(
  {
    tag: Type.String(),
    commit: Type.String({ description: "Empty when the source does not say" }),
    url: Type.String({ description: "Page of the release, or an empty text" }),
    published_at: Type.String({ description: "RFC 3339, or an empty text" }),
  },
  { title: "LatestRelease" },
);

export const UpdateCheck = Type.Object(
  {
    current: BuildInfo,
    latest: Type.Optional(LatestRelease),
    update_available: Type.Boolean(),
    checked_at: DateTime,
    source: Type.Optional(Type.String({ description: "Address that was asked, without its query" })),
  },
  { title: "UpdateCheck" },
);

export const WellKnownContract = Type.Object(
  { contract_id: Type.String(), name: Type.String(), version: Type.Optional(Type.String()), deployed_at: Height },
  { title: "WellKnownContract" },
);

export const WellKnownContracts = Type.Object(
  {
    count: Count,
    contracts: Type.Record(Type.String(), WellKnownContract, { description: "The earliest contract of every name, by its name" }),
  },
  { title: "WellKnownContracts" },
);

export const NetworkInfo = Type.Object(
  {
    chain_id: Type.String(),
    previous_chain_id: Type.Optional(
      Type.String({ description: "The chain whose state this one began with: messages that were sent there may still wait here" }),
    ),
    genesis_hash: Hash,
    genesis_time: DateTime,
    development: Type.Boolean({ description: "True on networks with a faucet: tokens there are worth nothing" }),
    height: Height,
    peers: Type.Array(PeerInfo),
    validators: Type.Array(ValidatorRecord),
    contracts: Type.Record(Type.String(), WellKnownContract),
    p2p_addresses: Type.Optional(Type.Array(Type.String(), { description: "Multiaddresses at which other nodes can dial this one" })),
  },
  { title: "NetworkInfo" },
);

export const GenesisFile = Type.Object(
  {
    chain_id: Type.String(),
    genesis_time: DateTime,
    development: Type.Boolean(),
    validators: Type.Array(Type.Object({ pub_key: Type.String(), bond_ut: Type.Integer() })),
    accounts: Type.Array(Type.Object({ pub_key: Type.String(), balance_ut: Type.Integer() })),
    params: Type.Record(Type.String(), Type.Integer()),
    contracts: Type.Array(Type.String()),
    previous: Type.Optional(
      Type.Object(
        { chain_id: Type.String(), height: Height, block_hash: Hash, state_root: Hash, file_hash: Hash, first_root: Hash },
        { description: "The chain whose state this one begins with; its accounts and contracts are in a state file" },
      ),
    ),
  },
  { title: "GenesisFile", description: "The genesis file: its hash is SHA-256 of its canonical JSON (RFC 8785)" },
);

const OperationIds = (description: string): TArray<TString> => Type.Array(Type.String(), { description });

/** What a light node knows, and what its answers are worth. */
export const LightStatus = Type.Object(
  {
    state: Type.Enum(["syncing", "live", "stalled", "expired", "forked"], {
      description:
        "expired: the newest verified block is older than the trusting period, a newer checkpoint is needed; forked: validators signed two chains; in both nothing new is believed",
    }),
    verified_height: Type.Integer({ minimum: 0, description: "The newest block whose signatures this node has checked" }),
    witnessed_height: Type.Integer({ minimum: 0, description: "The newest block that a second node confirmed" }),
    checkpoint: Type.Optional(
      Type.Object({ height: Height, hash: Hash }, { description: "The block that this node was set to trust, beside genesis" }),
    ),
    trusting_period_seconds: Type.Integer({ minimum: 1, description: "How long a verified block may be the start of trust" }),
    told: OperationIds("Operations with figures that another node reports without a proof"),
    told_lists: OperationIds("Operations with lists whose items are proven each, while another node says which there are"),
  },
  { title: "LightStatus" },
);

const JoinStep = Type.Object(
  {
    name: Type.Enum(["peers", "header", "records", "sort", "headers", "receipts", "block", "validators", "store"], {
      description:
        "peers: nodes that serve a state are looked for; header: that of its block is verified; records: they are fetched; sort: they are put in order; headers, receipts (of two hours), block, validators (sets of them): what the next blocks need; store: the chain is written",
    }),
    done: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: "peers: connected nodes that serve a state; sort: parts; receipts: blocks; else what is named",
      }),
    ),
    total: Type.Optional(Type.Integer({ minimum: 0, description: "Of so many in all; of headers about so many" })),
    bytes: Type.Optional(Type.Integer({ minimum: 0, description: "Bytes that this step has fetched since the start" })),
    eta_seconds: Type.Optional(
      Type.Integer({ minimum: 0, description: "Until this step is over; absent before there is a speed, and while nothing comes" }),
    ),
  },
  { description: "What the node does now within the stage, and how far that is" },
);

export const NodeStatus = Type.Object(
  {
    chain_id: Type.String(),
    mode: Type.String({ description: "full, validator or light" }),
    light: Type.Optional(LightStatus),
    sync: Type.Object({
      state: Type.String({ description: "live, syncing or stalled" }),
      height: Height,
      target_height: Height,
      tip_time: DateTime,
      reason: Type.Optional(Type.String({ description: "Why the node is stalled" })),
      blocks_per_second: Type.Optional(Type.Number({ description: "While syncing" })),
      eta_seconds: Type.Optional(Type.Integer({ description: "While syncing, when it is known" })),
      snapshot: Type.Optional(
        Type.Object(
          {
            stage: Type.Enum(["headers", "state", "history"], {
              description: "headers: looking for a state to fetch and verifying its header; history: what is needed beside the state",
            }),
            step: Type.Optional(JoinStep),
            height: Type.Optional(Height),
            bytes: Type.Integer({ minimum: 0, description: "Bytes of the state fetched since the start" }),
            share: Type.Number({ minimum: 0, maximum: 1, description: "Share of the state that is here" }),
            eta_seconds: Type.Optional(Type.Integer({ minimum: 0, description: "Until the state is here, when it is known" })),
          },
          {
            description:
              "While a node fetches the state of a block, to begin there rather than with genesis; it is a light node until then",
          },
        ),
      ),
    }),
    history: Type.Optional(
      Type.Object(
        {
          from_height: Height,
          from_time: DateTime,
          complete: Type.Boolean({ description: "True when the node holds every block of the chain" }),
          older_nodes: OlderNodes,
          backfill: Type.Optional(
            Type.Object(
              {
                state: Type.Enum(["running", "waiting", "paused"], {
                  description: "waiting: for a node that serves older blocks; paused: the node catches up first, or its disk is full",
                }),
                reason: Type.Optional(Type.String({ description: "Why it does not go on" })),
                bytes: Type.Integer({ minimum: 0, description: "Bytes of older blocks fetched since the start" }),
                to_height: Type.Optional(Type.Integer({ minimum: 0, description: "The lowest block that the node is to hold" })),
                to_time: Type.Optional(
                  Type.String({ title: "DateTime", description: "RFC 3339, UTC: the same as a time, where the node keeps days" }),
                ),
                eta_seconds: Type.Optional(Type.Integer({ minimum: 0, description: "Until all are here, when it is known" })),
              },
              { description: "While the node fetches older blocks in the background, the newest first" },
            ),
          ),
        },
        {
          description:
            "The first block whose transactions the node holds: lists begin there, totals and charts with the first one that it ever held",
        },
      ),
    ),
    upgrade: Type.Optional(
      Type.Object(
        {
          version: Type.Optional(Type.Integer({ minimum: 1 })),
          at_height: Type.Integer({ minimum: 1, description: "Not before this height" }),
          not_before: UnixSeconds,
          is_known: Type.Boolean({ description: "False when this program lacks the version: it stops before it" }),
        },
        { description: "An approved change of the network that is not active yet; GET /api/params has all of it" },
      ),
    ),
    peers: Count,
    pending_txs: Count,
    node_key: Type.Optional(PublicKey),
    validator_key: Type.Optional(
      Type.Object(
        {
          pub_key: PublicKey,
          place: oneOf(["local", "remote"], { description: "In the node, or in a signer" }),
          is_ready: Type.Boolean({ description: "False while the signer is away: the validator abstains" }),
        },
        { description: "The key with which the node votes while it is in the set" },
      ),
    ),
    voting: Type.Optional(Type.Boolean({ description: "True while the node votes with its key" })),
    relay_pub: Type.String({ description: "X25519 key of the node, with which /relay/send seals and inbox proofs are made" }),
    mailbox_envelopes: Count,
    uptime_seconds: Type.Integer(),
    inbox_auth_required: Type.Boolean({ description: "True when an owner's rights over a mailbox need X-Inbox-Proof on this connection" }),
    storage: Type.Optional(
      Type.Object({ chain_bytes: Count, mailbox_bytes: Count, consensus_bytes: Count }, { description: "Room on the disk by part" }),
    ),
  },
  { title: "NodeStatus" },
);

export const FaucetRequest = Type.Object(
  {
    to: Type.String({ description: "Address or hex public key" }),
    amount_ut: Type.Integer({ minimum: 1, description: "µT, at most 1,000 T" }),
  },
  { title: "FaucetRequest" },
);

export type LightStatus = Static<typeof LightStatus>;
export type LatestRelease = Static<typeof LatestRelease>;
export type UpdateCheck = Static<typeof UpdateCheck>;
export type WellKnownContract = Static<typeof WellKnownContract>;
export type PeerInfo = Static<typeof PeerInfo>;
export type VersionInfo = Static<typeof VersionInfo>;
export type NetworkInfo = Static<typeof NetworkInfo>;
export type NodeStatus = Static<typeof NodeStatus>;
