// The chain as a light node reads it: through peers, each response checked against verified headers.
import { parseResponse } from "#shared/api/client.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { MAX_TX_ID_CHARS } from "#shared/protocol/primitives/limits.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import type { LightSource, ProvenBody, ProvenHistory, ProvenRecords, ProvenTransaction, StateKey } from "../light-source.ts";
import { checkBody, checkTransaction } from "../peers/check-responses.ts";
import { isPeerFault } from "../peers/network-light-peers.ts";
import { PeerResponses, type PeerResponsesDependencies, refusal, type VerifiedHeaders } from "../peers/peer-responses.ts";
import { Submissions } from "../peers/submissions.ts";
import { UNVERIFIED_READ } from "../wire/light-requests.ts";
import { createBodyCache } from "./body-cache.ts";
import { HistoryProofs } from "./history-proofs.ts";
import { RecordBatches } from "./record-batches.ts";

export interface VerifiedSourceDependencies extends PeerResponsesDependencies {
  readonly chain: VerifiedHeaders & Pick<LightSource, "onTip">;
}

/** Peers that must not know an id before it counts as unknown. */
const UNKNOWN_TO = 2;

/** Verified reads. */
export class VerifiedSource implements LightSource {
  readonly #dependencies: VerifiedSourceDependencies;
  readonly #responses: PeerResponses;
  readonly #records: RecordBatches;
  readonly #histories: HistoryProofs;
  readonly #submissions: Submissions;
  readonly #bodies = createBodyCache(LIGHT_LIMITS.bodyCacheBytes);
  /** Bodies on their way. */
  readonly #fetching = new Map<Height, Promise<ProvenBody>>();
  /** Transactions on their way. */
  readonly #fetchingTransactions = new Map<string, Promise<ProvenTransaction | undefined>>();

  constructor(dependencies: VerifiedSourceDependencies) {
    this.#dependencies = dependencies;
    const { chain, peers, hash } = dependencies;
    const responses = new PeerResponses(dependencies);
    this.#responses = responses;
    this.#records = new RecordBatches({ responses, chain, hash });
    this.#histories = new HistoryProofs({ responses, hash, records: (keys): Promise<ProvenRecords> => this.records(keys) });
    this.#submissions = new Submissions({ responses, peers });
  }

  tip(): TrustedBlock {
    return this.#dependencies.chain.tip();
  }

  onTip(listener: (tip: TrustedBlock) => void): () => void {
    return this.#dependencies.chain.onTip(listener);
  }

  blockAt(height: Height): Promise<TrustedBlock | undefined> {
    return this.#dependencies.chain.blockAt(height);
  }

  records(keys: readonly StateKey[]): Promise<ProvenRecords> {
    return this.#records.records(keys);
  }

  async body(height: Height): Promise<ProvenBody | undefined> {
    const known = this.#bodies.get(height) ?? this.#fetching.get(height);
    if (known !== undefined) return await known;
    const at = await this.blockAt(height);
    if (at === undefined) return undefined;
    const fetched = this.#fetching.get(height) ?? this.#fetchBody(at);
    this.#fetching.set(height, fetched);
    try {
      const body = await fetched;
      this.#bodies.set(height, body);
      return body;
    } finally {
      this.#fetching.delete(height);
    }
  }

  transaction(id: string): Promise<ProvenTransaction | undefined> {
    if (id.length > MAX_TX_ID_CHARS) return Promise.resolve(undefined);
    const underWay = this.#fetchingTransactions.get(id);
    if (underWay !== undefined) return underWay;
    const fetched = this.#fetchTransaction(id).finally(() => this.#fetchingTransactions.delete(id));
    this.#fetchingTransactions.set(id, fetched);
    return fetched;
  }

  async #fetchTransaction(id: string): Promise<ProvenTransaction | undefined> {
    const unknowing = new Set<string>();
    try {
      return await this.#responses.first((peer) => this.#transactionOf(peer, id, unknowing));
    } catch (error) {
      if (isCodedError(error, "UPSTREAM_FAILED") && unknowing.size > 0) return undefined;
      throw error;
    }
  }

  history(account: PublicKeyHex, page: { readonly limit: number; readonly offset: number }): Promise<ProvenHistory> {
    return this.#histories.page(account, page);
  }

  async readUnverified(operation: string, input: unknown): Promise<unknown> {
    const request = { kind: UNVERIFIED_READ, operation, input: JSON.stringify(input ?? {}) } as const;
    const response = await this.#responses.first(async (peer) => {
      const given = await this.#dependencies.peers.ask<typeof UNVERIFIED_READ>(peer, request);
      if (given.kind === "unknown" || (given.kind === "error" && isPeerFault(given.code)))
        throw given.kind === "error" ? refusal(given) : new CodedError("UPSTREAM_FAILED", `Peer ${peer} does not answer that read`);
      return given;
    });
    if (response.kind === "error") throw refusal(response);
    return parseResponse(response.json);
  }

  submit(transaction: Transaction): Promise<{ readonly warning?: string }> {
    return this.#submissions.submit(transaction);
  }

  #fetchBody(at: TrustedBlock): Promise<ProvenBody> {
    const { height } = at.header;
    return this.#responses.first(async (peer) => {
      const response = await this.#responses.fetch<"body">(peer, { kind: "body", height });
      return this.#responses.unwrap(peer, checkBody(at, response, this.#dependencies.hash));
    });
  }

  async #transactionOf(peer: string, id: string, unknowing: Set<string>): Promise<ProvenTransaction | undefined> {
    const response = await this.#dependencies.peers.ask<"transaction">(peer, { kind: "transaction", id });
    if (response.kind === "unknown") {
      unknowing.add(peer);
      if (unknowing.size >= UNKNOWN_TO) return undefined;
      throw new CodedError("UPSTREAM_FAILED", `Peer ${peer} does not know the transaction ${id}`);
    }
    if (response.kind === "error") throw refusal(response);
    const at = await this.#responses.trust(response.at, peer);
    return this.#responses.unwrap(peer, checkTransaction(at, id, response, this.#dependencies.hash));
  }
}
