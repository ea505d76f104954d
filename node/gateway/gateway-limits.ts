// Limits of the gateway for programs. docs/limits.md lists them with their reasons.
import { WALLET_WAIT_MS } from "#shared/apps/app-limits.ts";

/** Every limit of the gateway. */
export interface GatewayLimits {
  /** Requests a second of one connection, lasting … */
  readonly requestsPerSecond: number;
  /** … and at once. */
  readonly requestBurst: number;
  /** The same of requests that spend. */
  readonly moneyPerSecond: number;
  readonly moneyBurst: number;
  /** Connections and sockets whose rate is remembered. */
  readonly rateEntries: number;
  /** Open sockets of all programs. */
  readonly sockets: number;
  /** Open sockets of one connection. */
  readonly socketsPerConnection: number;
  /** Streams of events of one connection. */
  readonly streamsPerConnection: number;
  /** Body of a request, bytes. */
  readonly bodyBytes: number;
  /** Body of a message, which may hold a file of 8 MiB in base64, bytes. */
  readonly messageBodyBytes: number;
  /** Headers of a request, bytes. */
  readonly headerBytes: number;
  /** One parameter of a path, characters. */
  readonly paramChars: number;
  /** Headers must have arrived within this time, ms … */
  readonly headersTimeoutMs: number;
  /** … and the whole request within this one. */
  readonly requestTimeoutMs: number;
  /** An idle socket is kept this long, ms. */
  readonly keepAliveTimeoutMs: number;
  /** How often sockets are looked at for these times, ms. */
  readonly checkEveryMs: number;
  /** Bytes that wait for the reader of a stream before it is closed. */
  readonly streamBufferBytes: number;
  /** A reader that takes less than this of what waits for it … */
  readonly stallBytes: number;
  /** … in this time is ended, ms. */
  readonly stallMs: number;
  /** Time between two signs of life of a stream, ms. */
  readonly heartbeatMs: number;
  /** Longest wait for the keyring or the node, ms. */
  readonly answerTimeoutMs: number;
  /** A request for messages waits this long for a page that reloads or is locked, ms … */
  readonly pageWaitMs: number;
  /** … and is tried again after this time at the latest, ms. */
  readonly pageRetryMs: number;
  /** After this time the chain is looked at once more where that failed, ms: it may be long until the next block. */
  readonly lookRetryMs: number;
  /** After this time the receipt of a payment is left once more where that failed, ms. */
  readonly receiptRetryMs: number;
  /** So often one is tried again that failed for an unknown reason … */
  readonly receiptTries: number;
  /** … while so many such ones are set aside at most: then the others wait. */
  readonly receiptsAside: number;
  /** Time that open requests get when the gateway closes, ms. */
  readonly closeTimeoutMs: number;
  /** Signed transactions that are submitted again until they are in a block or no longer can be. */
  readonly pendingTransactions: number;
  /** Orders that wait for the wallet, of one connection and in all … */
  readonly waitingPerConnection: number;
  readonly waitingOrders: number;
  /** … for this long, ms. */
  readonly waitingMs: number;
  /** Transactions of one page of a history. */
  readonly feedPage: number;
  /** Pages that are read for one question. */
  readonly feedPages: number;
}

export const GATEWAY_LIMITS: GatewayLimits = {
  requestsPerSecond: 20,
  requestBurst: 60,
  moneyPerSecond: 1,
  moneyBurst: 10,
  rateEntries: 256,
  sockets: 64,
  socketsPerConnection: 8,
  streamsPerConnection: 2,
  bodyBytes: 65_536,
  messageBodyBytes: 11_250_000,
  headerBytes: 8_192,
  paramChars: 128,
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  keepAliveTimeoutMs: 60_000,
  checkEveryMs: 1_000,
  streamBufferBytes: 1_048_576,
  stallBytes: 65_536,
  stallMs: 15_000,
  heartbeatMs: 15_000,
  answerTimeoutMs: 15_000,
  pageWaitMs: 30_000,
  pageRetryMs: 500,
  lookRetryMs: 1_000,
  receiptRetryMs: 5_000,
  receiptTries: 100,
  receiptsAside: 64,
  closeTimeoutMs: 1_000,
  pendingTransactions: 256,
  waitingPerConnection: 8,
  waitingOrders: 64,
  waitingMs: WALLET_WAIT_MS,
  feedPage: 500,
  feedPages: 40,
};
