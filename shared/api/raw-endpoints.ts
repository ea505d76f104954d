// Endpoints whose bodies are not JSON: pictures, streams. They stand beside the table, in the same OpenAPI document.
import { IMAGE_TYPES } from "#shared/media/image-type.ts";
import type { Access } from "./endpoint.ts";
import type { Json } from "./json.ts";
import { type HttpMethod, SOCKET_PATH } from "./routes.ts";

/** One endpoint, described as the document shows it. */
export interface RawEndpoint {
  readonly method: HttpMethod;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly access: Access;
  /** Further fields of the operation: parameters, body, successful responses. */
  readonly parameters?: readonly Json[];
  readonly requestBody?: Json;
  readonly responses: { readonly [status: string]: Json };
  /** Statuses besides the successful ones, all in the error shape. */
  readonly errors: readonly number[];
}

const TOKEN = inQuery("token", "string", "API token, where one is set");
const IMAGES: Json = Object.fromEntries(IMAGE_TYPES.map((type) => [type, {}]));

/** Lines of the stream: `data:` with the JSON of a StreamEvent. */
const EVENT_STREAM: Json = {
  type: "string",
  contentMediaType: "application/json",
  contentSchema: { $ref: "#/components/schemas/StreamEvent" },
};
const FRAMES: Json = { anyOf: [{ $ref: "#/components/schemas/NodeFrame" }, { $ref: "#/components/schemas/ClientFrame" }] };

/** A parameter of the address that may be left out. */
function inQuery(name: string, type: "string" | "integer", description: string): { readonly [field: string]: Json } {
  return { name, in: "query", required: false, description, schema: { type } };
}

/** A body in JSON, of any object where nothing more is said of it. */
function json(schema: Json = { type: "object" }): { readonly content: Json } {
  return { content: { "application/json": { schema } } };
}

/** Endpoints by operation id. */
export const rawEndpoints = {
  scrubImage: {
    method: "POST",
    path: "/api/media/scrub",
    tag: "Media",
    summary: "A picture without its metadata; nothing is stored and nothing is coded again",
    access: "read",
    requestBody: { required: true, content: IMAGES },
    responses: { "200": { description: "The picture, its content-type that of its bytes", content: IMAGES } },
    errors: [400, 413, 415],
  },
  getMetrics: {
    method: "GET",
    path: "/metrics",
    tag: "Node",
    summary: "Metrics of the node in the Prometheus text format",
    access: "read",
    responses: { "200": { description: "Samples with their help and type", content: { "text/plain": { schema: { type: "string" } } } } },
    errors: [],
  },
  readMailFeed: {
    method: "GET",
    path: "/relay/feed",
    tag: "Relay",
    summary: "All mail of the node in order of arrival, for gateways of its operator: needs a secret of the node",
    access: "mailbox",
    parameters: [
      inQuery("after", "integer", "Position of the envelope before"),
      inQuery("deletions_after", "integer", "Position of the deletion before"),
    ],
    responses: {
      "200": {
        description: "Envelopes, openings of their mailboxes, signed deletions, and the positions of the next page",
        ...json(),
      },
    },
    errors: [400, 401],
  },
  nameReaders: {
    method: "POST",
    path: "/relay/feed/readers",
    tag: "Relay",
    summary: "Mailboxes that are read at gateways of the node's operator: the node gets their mail where others keep it; needs a secret",
    access: "mailbox",
    requestBody: {
      required: true,
      ...json({
        type: "object",
        properties: {
          readers: { type: "array", maxItems: 1_024, items: { type: "string" } },
          parties: { type: "array", maxItems: 1_024, items: { type: "string", maxLength: 128 } },
          idle_s: { type: "array", maxItems: 1_024, items: { type: "integer", minimum: 0 } },
        },
        required: ["readers"],
      }),
    },
    responses: {
      "200": {
        description: "How many of them the node has room for, and which run of the node says so",
        ...json({
          type: "object",
          properties: { taken: { type: "integer" }, scope: { type: "string" } },
          required: ["taken", "scope"],
        }),
      },
    },
    errors: [400, 401],
  },
  takeSigned: {
    method: "POST",
    path: "/relay/feed/signed",
    tag: "Relay",
    summary: "An opening or a deletion that a gateway of the node's operator took, of whatever height; needs a secret of the node",
    access: "mailbox",
    requestBody: {
      required: true,
      ...json({
        type: "object",
        properties: {
          opening: { $ref: "#/components/schemas/SignedOpening" },
          deletion: { $ref: "#/components/schemas/SignedDeletion" },
        },
      }),
    },
    responses: {
      "200": {
        description: "Taken",
        ...json({ type: "object", properties: { status: { type: "string", enum: ["taken"] } }, required: ["status"] }),
      },
    },
    errors: [400, 401, 403, 503],
  },
  takeOfClient: {
    method: "POST",
    path: "/relay/feed/client",
    tag: "Relay",
    summary: "An envelope, an opening or a deletion that a client of a gateway of the node's operator handed in there; needs a secret",
    access: "mailbox",
    requestBody: {
      required: true,
      ...json({
        type: "object",
        properties: {
          client: { type: "string", description: "Its IPv4 address, or the first four groups of its IPv6 address; of no deletion" },
          envelope: { $ref: "#/components/schemas/SealedEnvelope" },
          admit: { type: "string", description: "As of POST /relay/broadcast" },
          opening: { $ref: "#/components/schemas/SignedOpening" },
          deletion: { $ref: "#/components/schemas/SignedDeletion" },
        },
      }),
    },
    responses: {
      "200": {
        description: "Taken, or why the client is refused",
        ...json({
          type: "object",
          properties: {
            status: { type: "string", enum: ["taken", "refused"] },
            code: { type: "integer", description: "Status with which the client itself would have been refused" },
            error: { type: "string", description: "Why it was refused" },
            retry_after_s: { type: "integer", minimum: 0, description: "Seconds until it may be tried again" },
          },
          required: ["status"],
        }),
      },
    },
    errors: [400, 401, 404, 503],
  },
  readElsewhere: {
    method: "POST",
    path: "/relay/feed/elsewhere",
    tag: "Relay",
    summary: "Asks other nodes for mailboxes that are read at gateways of the node's operator, where these keep the mail; needs a secret",
    access: "mailbox",
    requestBody: {
      required: true,
      ...json({
        type: "object",
        properties: {
          served: { type: "array", maxItems: 1_024, items: { type: "string" } },
          unproven: { type: "array", maxItems: 16, items: { type: "string" } },
        },
      }),
    },
    responses: {
      "200": {
        description: "Whether others have mail, those that too few of them have said something of, and what this node's mailbox lacks",
        ...json(),
      },
    },
    errors: [400, 401],
  },
  listElsewhere: {
    method: "GET",
    path: "/relay/feed/inbox",
    tag: "Relay",
    summary: "A page of what other nodes have of a mailbox and this one has not, for gateways of its operator; needs a secret",
    access: "mailbox",
    parameters: [
      { ...inQuery("pub", "string", "X25519 key of the mailbox"), required: true },
      inQuery("after", "integer", "Position of the envelope before"),
      inQuery("since", "integer", "Only what was seen later, unix seconds"),
      inQuery("limit", "integer", "Envelopes, up to 500"),
      inQuery("bytes", "integer", "Bytes of the page"),
    ],
    responses: {
      "200": { description: "Envelopes as in a mailbox's list", ...json() },
    },
    errors: [400, 401],
  },
  readChainFeed: {
    method: "GET",
    path: "/api/chain/feed",
    tag: "Chain",
    summary: "Blocks in their order with what they did, for gateways of the node's operator: needs a secret of the node",
    access: "read",
    parameters: [
      inQuery("after", "integer", "Height of the block before"),
      inQuery("hash", "string", "Its hash: the node may have another one"),
      inQuery("state", "string", "Position of the reader's copy of the state, as a page gave it, or all"),
      inQuery("contract", "string", "Id of the last contract that the reader has"),
    ],
    responses: {
      "200": {
        description: "Blocks with receipts, the first and the newest block of the node, and records and pieces of the state",
        ...json(),
      },
    },
    errors: [400, 401],
  },
  streamEvents: {
    method: "GET",
    path: "/api/events",
    tag: "Real-time",
    summary: "Server-sent events: blocks and their transactions as they become final (the WebSocket offers more)",
    access: "socket",
    parameters: [
      {
        name: "Last-Event-ID",
        in: "header",
        required: false,
        description: "Id of the last event that was received: the stream goes on after it",
        schema: { type: "string" },
      },
      TOKEN,
    ],
    responses: {
      "200": { description: "A stream of events without an end", content: { "text/event-stream": { schema: EVENT_STREAM } } },
    },
    errors: [400, 429],
  },
  openWebSocket: {
    method: "GET",
    path: SOCKET_PATH,
    tag: "Real-time",
    summary: "WebSocket: subscribe to blocks, transactions and mailboxes, submit transactions",
    access: "socket",
    parameters: [TOKEN],
    responses: {
      "101": {
        description: "Switching protocols. A node sends NodeFrames and takes ClientFrames, each as a text",
        ...json(FRAMES),
      },
    },
    errors: [426],
  },
} as const satisfies Readonly<Record<string, RawEndpoint>>;
