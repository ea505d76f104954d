// Schemas of nodes: their reputation, and the relays among them.
import type { Static } from "typebox";
import * as Type from "typebox";
import { AmountText, AmountUt, BoxKey, Count, DateTime, oneOf, PublicKey, UnixSeconds, WalletAddress } from "./primitives.ts";

export const ValidatorStanding = Type.Object(
  {
    in_set: Type.Boolean({ description: "True while it votes" }),
    bond_ut: AmountUt,
    bond_available_at: Type.Optional(UnixSeconds),
    set_aside: Type.Optional(
      Type.Boolean({ description: "True when it was missing for too long: its own ADD_VALIDATOR brings it back, without approvals" }),
    ),
    banned_until: Type.Optional(UnixSeconds),
    commits_expected: Type.Integer({
      minimum: 0,
      description: "Of the newest blocks, at most 100: those of heights at which it could vote",
    }),
    commits_signed: Type.Integer({
      minimum: 0,
      description: "Those whose commit holds its signature. A commit needs more than two thirds only",
    }),
    recent_commits: Type.Optional(
      Type.Object(
        {
          height: Type.Integer({ minimum: 0, description: "The newest block" }),
          marks: Type.String({
            pattern: "^[01-]*$",
            maxLength: 100,
            description: "One character a block, the newest first: 1 with its signature, 0 without, - where it was not in the set",
          }),
        },
        { description: "Absent from nodes of earlier versions" },
      ),
    ),
  },
  { title: "ValidatorStanding" },
);

export const KeptHistory = Type.Object(
  {
    retain: Type.String({ description: "What the node was set to keep of old blocks: all, or as 30d, 100000blocks" }),
    dropping: oneOf(["on", "off", "alone", "accounts_unknown", "no_holder"], {
      description:
        "Why nothing is dropped: all is kept, the node stays alone, it does not know the accounts of its person yet, or no " +
        "connected node has the blocks",
    }),
    accounts: Type.Array(
      Type.Object({
        pub_key: PublicKey,
        complete: Type.Boolean({ description: "True when each entry of the account is here" }),
        from_height: Type.Integer({ minimum: 0, description: "From this block on each entry of the account is here" }),
        from_time: DateTime,
        kept: Type.Integer({ minimum: 0, description: "Entries that outlive their blocks" }),
        older: Type.Optional(
          Type.Object(
            {
              state: Type.Enum(["later", "running", "no_holder", "unproven", "limit", "full"], {
                description:
                  "later: older blocks come first; running: they are fetched; no_holder: no connected node has them; unproven: nothing " +
                  "leads from the headers here to their blocks; limit: more are not fetched; full: the disk is",
              }),
              entries: Type.Integer({ minimum: 1, description: "Entries that are not here" }),
              headers: Type.Optional(
                Type.Integer({
                  minimum: 0,
                  description:
                    "Headers that are still fetched before the next of them is proven, where its block lies far below all that are",
                }),
              ),
              eta_seconds: Type.Optional(
                Type.Integer({ minimum: 0, description: "Until they are here, or those headers where there are some, when it is known" }),
              ),
            },
            {
              description: "What becomes of entries of before, in blocks that this node never had or dropped; absent where it has no peers",
            },
          ),
        ),
      }),
      { description: "Own accounts of the node's person" },
    ),
  },
  { title: "KeptHistory" },
);

export const NodeStats = Type.Object(
  {
    pub_key: PublicKey,
    address: WalletAddress,
    node_balance_ut: AmountUt,
    node_balance: AmountText,
    wallet_binding_address: Type.String({ description: "Wallet that gets the node's earnings, or an empty text" }),
    wallet_binding_balance_ut: AmountUt,
    reputation_score: Type.Integer(),
    reputation_rank: oneOf(["Observer", "Active", "Trusted", "Validator"]),
    blocks_produced: Count,
    from_height: Type.Optional(
      Type.Integer({ minimum: 2, description: "The first block that this number counts, where it is not the first of the chain" }),
    ),
    counted_blocks: Type.Optional(
      Type.Object(
        {
          blocks: Count,
          since_height: Type.Integer({
            minimum: 1,
            description: "The first block that the state counted; from 1 on it counts all of them",
          }),
        },
        { description: "Blocks that it proposed, as the state counts them since version 4 of the rules: light nodes prove it" },
      ),
    ),
    relay_proofs: Count,
    slash_count: Count,
    heartbeats: Count,
    recent_window_blocks: Type.Integer({ minimum: 1, description: "How many of the newest blocks the recent figures look at" }),
    recent_blocks_produced: Count,
    recent_rewards_ut: AmountUt,
    recent_rewards: AmountText,
    validator: Type.Optional(ValidatorStanding),
  },
  { title: "NodeStats" },
);

export const RelayKeeper = Type.Object(
  {
    bond_ut: AmountUt,
    withdrawn_ut: Type.Optional(AmountUt),
    available_at: Type.Optional(UnixSeconds),
    standing: oneOf(["none", "waiting", "in", "out"], {
      description: "Whether it keeps mail since the last hour began: in, or out of it for a while; waiting for its first time",
    }),
    weight: Type.Optional(Type.Integer({ minimum: 0, description: "Shares of the mail that its bond stands for; 0 is none" })),
    left_at: Type.Optional(UnixSeconds),
    suspended_until: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: "Unix seconds of block time: so long it keeps no mail, as validators found two digests of it that differ",
      }),
    ),
    suspension_votes: Type.Optional(
      Type.Integer({ minimum: 1, description: "Votes of validators to suspend it of the last week; absent once it is suspended" }),
    ),
  },
  { title: "RelayKeeper", description: "Absent without a bond, and before version 5 of the rules" },
);

export const RegisteredRelay = Type.Object(
  {
    pub_key: PublicKey,
    address: WalletAddress,
    relay: Type.Object({ x25519_pub_key: BoxKey, fee_per_msg_ut: AmountUt, multiaddr: Type.Optional(Type.String()) }),
    last_heartbeat: Type.Optional(UnixSeconds),
    keeper: Type.Optional(RelayKeeper),
  },
  { title: "RegisteredRelay" },
);

export type NodeStats = Static<typeof NodeStats>;
export type RegisteredRelay = Static<typeof RegisteredRelay>;

/** How a node's owner reaches the relay of calls that it offers. */
export const CallRelayAccess = Type.Object(
  {
    urls: Type.Array(Type.String(), { description: "Addresses of the relay as WebRTC takes them, over UDP and TCP" }),
    username: Type.String(),
    credential: Type.String({ description: "Password of the username" }),
    expires_at: Type.Integer({ description: "Until when it opens new allocations, Unix seconds; what is open then stays" }),
  },
  { title: "CallRelayAccess" },
);
