// Answers light nodes: reads of the chain beside the main thread, public reads by the interface's handlers, transactions by admission.
// Bounded in what is under way, in the size of a response and in what one peer submits.
import { TokenBucket } from "#node/network/flow/token-bucket.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import type { Log } from "#node/observability/log.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { LightBlock } from "#shared/protocol/chain/light-block.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { decodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import type { Clock } from "#shared/util/clock.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import { type LightRequest, lightRequestCodec, UNVERIFIED_READ } from "../wire/light-requests.ts";
import { errorResponse, type LightResponse, lightResponseCodec } from "../wire/light-responses.ts";
import type { ChainRequest } from "./light-reads.ts";

/** What the server works with. All that may fail throws CodedErrors for what the peer that asks may know. */
export interface LightServerDependencies {
  /** The encoded response of the chain. */
  read(request: ChainRequest): Promise<Uint8Array>;
  /** JSON of the interface's response to a public read with an input in JSON. */
  readPublic(operation: string, input: string): Promise<string>;
  /** Takes a transaction in, as from anybody. */
  submit(transaction: Transaction): Promise<{ readonly warning?: string }>;
  /** Takes a block that may contradict the chain. @returns how many of its signers are proven guilty */
  accuse(block: LightBlock): number;
  readonly clock: Clock;
  readonly log: Log;
}

/** The answering side. */
export class LightServer {
  readonly #dependencies: LightServerDependencies;
  readonly #submitters = new Map<string, TokenBucket>();
  /** A refused submission costs no one but this node, and anyone has many addresses. */
  readonly #allSubmissions: TokenBucket;
  #underWay = 0;

  constructor(dependencies: LightServerDependencies) {
    this.#dependencies = dependencies;
    const { allSubmissionsPerSecond: perSecond, allSubmissionBurst: burst } = LIGHT_LIMITS;
    this.#allSubmissions = new TokenBucket({ perSecond, burst }, dependencies.clock.monotonicMs());
  }

  /** The encoded response to an encoded request of a party; undefined when that is nonsense. Never rejects. */
  async respond(bytes: Uint8Array, from: string): Promise<Uint8Array | undefined> {
    const request = tryDecode(lightRequestCodec, bytes);
    if (request === undefined) return undefined;
    if (this.#underWay >= LIGHT_LIMITS.requestsUnderWay)
      return failure(new CodedError("BUSY", "The node has as many requests under way as it can: try again"));
    this.#underWay += 1;
    try {
      const response = await this.#responseTo(request, from);
      if (response.length <= NETWORK_LIMITS.light.responseBytes) return response;
      return failure(new CodedError("PAYLOAD_TOO_LARGE", "The response is too large: ask for less at once"));
    } catch (error) {
      if (isCodedError(error)) return failure(error);
      this.#dependencies.log.error({ err: error, request: request.kind }, "A request of a light node failed");
      return failure(new CodedError("INTERNAL", "The node failed to answer"));
    } finally {
      this.#underWay -= 1;
    }
  }

  async #responseTo(request: LightRequest, from: string): Promise<Uint8Array> {
    if (request.kind === UNVERIFIED_READ)
      return encode(lightResponseCodec, {
        kind: UNVERIFIED_READ,
        json: await this.#dependencies.readPublic(request.operation, request.input),
      });
    if (request.kind === "submit") return encode(lightResponseCodec, await this.#submit(request.transaction, from));
    if (request.kind === "fork") return encode(lightResponseCodec, this.#accuse([request.first, request.second], from));
    return await this.#dependencies.read(request);
  }

  #accuse(blocks: readonly LightBlock[], from: string): LightResponse {
    if (!this.#mayTake(from, LIGHT_LIMITS.forkReportCost)) throw new CodedError("RATE_LIMITED", "Too many reports from this node: wait");
    const accused = blocks.reduce((sum, block) => sum + this.#dependencies.accuse(block), 0);
    return accused > 0 ? { kind: "accepted", warning: null } : { kind: "unknown" };
  }

  async #submit(bytes: Uint8Array, from: string): Promise<LightResponse> {
    if (!this.#mayTake(from)) throw new CodedError("RATE_LIMITED", "Too many transactions from this node: wait and try again");
    const { warning = null } = await this.#dependencies.submit(decodeTransaction(bytes));
    return { kind: "accepted", warning };
  }

  #mayTake(from: string, cost = 1): boolean {
    const nowMs = this.#dependencies.clock.monotonicMs();
    const rate = { perSecond: LIGHT_LIMITS.submissionsPerSecond, burst: LIGHT_LIMITS.submissionBurst };
    const bucket = this.#submitters.get(from) ?? new TokenBucket(rate, nowMs);
    this.#submitters.delete(from);
    const oldest = this.#submitters.size >= MAX_SUBMITTERS ? this.#submitters.keys().next() : undefined;
    if (oldest !== undefined && oldest.done !== true) this.#submitters.delete(oldest.value);
    this.#submitters.set(from, bucket);
    return bucket.has(cost, nowMs) && this.#allSubmissions.take(cost, nowMs) && bucket.take(cost, nowMs);
  }
}

/** Parties whose rate is remembered: four times the peers that can be connected. */
const MAX_SUBMITTERS = NETWORK_LIMITS.inboundConnections * 4;

function failure(error: CodedError): Uint8Array {
  return encode(lightResponseCodec, errorResponse(error));
}
