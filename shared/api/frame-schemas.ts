// Schemas of what a node sends on its own: WebSocket frames and server-sent events. They stand in the OpenAPI document, and tests hold every
// received frame to them; the types that programs work with are in frames.ts.
import * as Type from "typebox";
import { ClientFrame } from "./frames.ts";
import { AmountUt, BoxKey, Count, DateTime, Hash, Height, PublicKey, WalletAddress } from "./schemas/primitives.ts";

const exact = { additionalProperties: false };
const req = Type.Optional(Type.Union([Type.String(), Type.Integer()], { description: "That of the frame which is answered" }));
const topic = Type.String({ description: "As it was subscribed" });
const MaybeKey = Type.String({ description: "Public key in hex, or an empty text" });

/** Frames that answer a client or greet it. */
const ANSWERS = [
  Type.Object(
    {
      type: Type.Literal("hello"),
      nonce: Type.String({ description: "32 bytes, hex: what auth signs" }),
      chain_id: Type.String(),
      auth_required: Type.Boolean({ description: "True when inbox: and typing: topics need auth on this connection" }),
    },
    exact,
  ),
  Type.Object({ type: Type.Literal("auth_ok"), pub: PublicKey, req }, exact),
  Type.Object({ type: Type.Enum(["subscribed", "unsubscribed"]), topic, req }, exact),
  Type.Object({ type: Type.Literal("pong"), req }, exact),
  Type.Object({ type: Type.Literal("error"), error: Type.String(), req }, exact),
  Type.Object(
    {
      type: Type.Literal("submit_ack"),
      id: Type.String(),
      status: Type.Enum(["accepted", "rejected"]),
      error: Type.Optional(Type.String()),
      warning: Type.Optional(Type.String()),
      req,
    },
    exact,
  ),
] as const;

/** Frames of topics. */
const PUSHES = [
  Type.Object(
    {
      type: Type.Literal("block"),
      topic,
      index: Height,
      hash: Hash,
      time: DateTime,
      validator: WalletAddress,
      tx_count: Count,
      total_fees_ut: AmountUt,
    },
    exact,
  ),
  Type.Object(
    {
      type: Type.Literal("tx"),
      topic,
      id: Type.String(),
      tx_type: Type.String(),
      from: MaybeKey,
      to: MaybeKey,
      amount_ut: AmountUt,
      fee_ut: AmountUt,
      block: Height,
      block_hash: Hash,
      time: DateTime,
      status: Type.Enum(["ok", "failed"]),
      logs: Type.Optional(Type.Array(Type.String(), { description: "Lines that a successful call logged; on contract: topics only" })),
    },
    exact,
  ),
  Type.Object(
    {
      type: Type.Literal("inbox"),
      topic,
      id: Type.String(),
      recipient_pub: BoxKey,
      sender_pub: BoxKey,
      sender_ed25519_pub: MaybeKey,
      fee_ut: AmountUt,
      sent_at: Type.Integer({ minimum: 0 }),
    },
    exact,
  ),
  Type.Object({ type: Type.Literal("typing"), topic, to: BoxKey, from: BoxKey }, exact),
] as const;

/** Every WebSocket frame of a node. */
export const NodeFrameSchema = Type.Union([...ANSWERS, ...PUSHES], { title: "NodeFrame", description: "A WebSocket frame of the node" });

/** The data of every server-sent event. */
export const StreamEventSchema = Type.Union(
  [
    Type.Object({ type: Type.Literal("block"), index: Height, hash: Hash, tx_count: Count }, exact),
    Type.Object({ type: Type.Literal("tx"), id: Type.String(), block: Height, from: PublicKey }, exact),
  ],
  { title: "StreamEvent", description: "Data of a server-sent event" },
);

/** What the OpenAPI document names beside the bodies of requests and answers. */
export const FRAME_SCHEMAS = [
  Type.Union([...ClientFrame.anyOf], { title: "ClientFrame", description: "A WebSocket frame of a client" }),
  NodeFrameSchema,
  StreamEventSchema,
];
