// Frames of the WebSocket and data of server-sent events: JSON objects with `type`. Types, the checks of the node and the OpenAPI document
// come from these schemas; pages load the types alone.
import type { Static, TObject, TProperties } from "typebox";
import * as Type from "typebox";
import {
  AmountUt,
  BoxKey,
  Count,
  DateTime,
  FeeUt,
  GasFeeUt,
  Hash,
  Height,
  PublicKey,
  TotalFeesUt,
  TransactionTypeName,
  WalletAddress,
} from "../schemas/primitives.ts";
import type { PushType } from "./topics.ts";

const MAX_TOPIC_CHARS = 200;
const EXACT = { additionalProperties: false };
const MaybeKey = Type.String({ description: "Public key in hex, or an empty text" });
const request = Type.Optional(Type.Union([Type.String({ maxLength: 64 }), Type.Integer()], { description: "Echoed in the answer" }));
const requestedTopic = Type.String({ maxLength: MAX_TOPIC_CHARS });
const req = Type.Optional(Type.Union([Type.String(), Type.Integer()], { description: "That of the frame which is answered" }));
const topic = Type.String({ description: "As it was subscribed" });

/** Every frame that a client may send. */
export const CLIENT_FRAMES = [
  Type.Object({ type: Type.Literal("submit_tx"), tx: Type.Unknown(), req: request }),
  Type.Object({ type: Type.Literal("subscribe"), topic: requestedTopic, req: request }),
  Type.Object({ type: Type.Literal("unsubscribe"), topic: requestedTopic, req: request }),
  Type.Object({ type: Type.Literal("typing"), to: Type.String(), from: Type.String() }),
  Type.Object({ type: Type.Literal("ping"), req: request }),
  Type.Object({ type: Type.Literal("auth"), pub: Type.String(), sig: Type.String(), req: request }),
] as const;

/** Frames that answer a client or greet it. */
const RESPONSES = [
  Type.Object(
    {
      type: Type.Literal("hello"),
      nonce: Type.String({ description: "32 bytes, hex: what auth signs" }),
      chain_id: Type.String(),
      auth_required: Type.Boolean({ description: "True when typing: topics need auth on this connection" }),
    },
    EXACT,
  ),
  Type.Object({ type: Type.Literal("auth_ok"), pub: PublicKey, req }, EXACT),
  Type.Object({ type: Type.Enum(["subscribed", "unsubscribed"]), topic, req }, EXACT),
  Type.Object({ type: Type.Literal("pong"), req }, EXACT),
  Type.Object(
    {
      type: Type.Literal("error"),
      error: Type.String(),
      id: Type.Optional(Type.String({ description: "Of the transaction, when a submit_tx is refused" })),
      req,
    },
    EXACT,
  ),
  Type.Object(
    {
      type: Type.Literal("submit_ack"),
      id: Type.String(),
      status: Type.Literal("accepted"),
      warning: Type.Optional(Type.String()),
      req,
    },
    EXACT,
  ),
] as const;

/** Fields of the frames that topics push, besides `type` and `topic`. */
const PUSH_FIELDS = {
  block: { index: Height, hash: Hash, time: DateTime, validator: WalletAddress, tx_count: Count, total_fees_ut: TotalFeesUt },
  tx: {
    id: Type.String(),
    tx_type: TransactionTypeName,
    from: MaybeKey,
    to: MaybeKey,
    amount_ut: AmountUt,
    fee_ut: FeeUt,
    gas_fee_ut: GasFeeUt,
    block: Height,
    block_hash: Hash,
    time: DateTime,
    status: Type.Enum(["ok", "failed"]),
    logs: Type.Optional(Type.Array(Type.String(), { description: "Lines that a successful call logged; on contract: topics only" })),
  },
  event: {
    contract_id: Type.String({ description: "16 lower-case hex characters" }),
    tx_id: Type.String(),
    block: Height,
    block_hash: Hash,
    time: DateTime,
    position: Type.String({ description: "That of its line in the contract's log" }),
    event: Type.String({ description: "Name of the event" }),
    index: Type.Record(Type.String(), Type.String(), { description: "Values of the indexed fields" }),
    message: Type.String({ description: "The line as it was logged, with the fields that are not indexed" }),
  },
  inbox: {
    id: Type.String(),
    recipient_pub: BoxKey,
    sender_pub: BoxKey,
    sender_ed25519_pub: MaybeKey,
    fee_ut: AmountUt,
    sent_at: Type.Integer({ minimum: 0 }),
  },
  typing: { to: BoxKey, from: BoxKey },
} as const satisfies Readonly<Record<PushType, TProperties>>;

const PUSHES = (Object.keys(PUSH_FIELDS) as PushType[]).map((type) =>
  Type.Object({ type: Type.Literal(type), topic, ...PUSH_FIELDS[type] }, EXACT),
);

/** Every WebSocket frame of a node. */
export const NodeFrameSchema = Type.Union([...RESPONSES, ...PUSHES], { title: "NodeFrame", description: "A WebSocket frame of the node" });

/** The data of every server-sent event. */
export const StreamEventSchema = Type.Union(
  [
    Type.Object({ type: Type.Literal("block"), index: Height, hash: Hash, tx_count: Count }, EXACT),
    Type.Object({ type: Type.Literal("tx"), id: Type.String(), block: Height, from: PublicKey }, EXACT),
  ],
  { title: "StreamEvent", description: "Data of a server-sent event" },
);

/** What the OpenAPI document names beside the bodies of requests and responses. */
export const FRAME_SCHEMAS = [
  Type.Union([...CLIENT_FRAMES], { title: "ClientFrame", description: "A WebSocket frame of a client" }),
  NodeFrameSchema,
  StreamEventSchema,
];

export type ClientFrame = Readonly<Static<(typeof CLIENT_FRAMES)[number]>>;

/** `req` of the frame that is answered. */
export type RequestId = string | number;

/** A frame that belongs to a topic. */
export type PushFrame<T extends PushType = PushType> = T extends PushType
  ? { readonly type: T; readonly topic: string } & Readonly<Static<TObject<(typeof PUSH_FIELDS)[T]>>>
  : never;

type ResponseFrame = Readonly<Static<(typeof RESPONSES)[number]>>;

/** Any frame of a node, or those of one type. */
export type NodeFrame<T extends NodeFrameType = NodeFrameType> = Extract<ResponseFrame | PushFrame, { readonly type: T }>;
type NodeFrameType = (ResponseFrame | PushFrame)["type"];
