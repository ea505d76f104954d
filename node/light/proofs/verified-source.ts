// The chain as a light node reads it: through peers, each answer checked against verified headers.
import { parseResponse } from "#shared/api/client.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { MAX_TX_ID_CHARS } from "#shared/protocol/primitives/limits.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import type { LightSource, ProvenBody, ProvenHistory, ProvenRecords, ProvenTransaction, StateKey } from "../light-source.ts";
import { checkBody, checkTransaction } from "../peers/check-answers.ts";
import { isTrouble } from "../peers/network-light-peers.ts";
import { PeerAnswers, type PeerAnswersDependencies, refusal, type VerifiedHeaders } from "../peers/peer-answers.ts";
import { Submissions } from "../peers/submissions.ts";
import { createBodyCache } from "./body-cache.ts";
import { HistoryProofs } from "./history-proofs.ts";
import { RecordBatches } from "./record-batches.ts";

/** What it works with. */
export interface VerifiedSourceDependencies extends PeerAnswersDependencies {
  readonly chain: VerifiedHeaders & Pick<LightSource, "onTip">;
}

/** Peers that must not know an id before it counts as unknown. */
const UNKNOWN_TO = 2;

/** Verified reads. */
export class VerifiedSource implements LightSource {
  readonly #dependencies: VerifiedSourceDependencies;
  readonly #answers: PeerAnswers;
  readonly #records: RecordBatches;
  readonly #histories: HistoryProofs;
  readonly #submissions: Submissions;
  readonly #bodies = createBodyCache(LIGHT_LIMITS.bodyCacheBytes);
  /** Bodies on their way. */
  readonly #fetching = new Map<Height, Promise<ProvenBody>>();

  constructor(dependencies: VerifiedSourceDependencies) {
    this.#dependencies = dependencies;
    const { chain, peers, hash } = dependencies;
    const answers = new PeerAnswers(dependencies);
    this.#answers = answers;
    this.#records = new RecordBatches({ answers, chain, hash });
    this.#histories = new HistoryProofs({ answers, hash, records: (keys): Promise<ProvenRecords> => this.records(keys) });
    this.#submissions = new Submissions({ answers, peers });
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

  async transaction(id: string): Promise<ProvenTransaction | undefined> {
    if (id.length > MAX_TX_ID_CHARS) return undefined;
    const unknowing = new Set<string>();
    try {
      return await this.#answers.first((peer) => this.#transactionOf(peer, id, unknowing));
    } catch (error) {
      if (isCodedError(error, "UPSTREAM_FAILED") && unknowing.size > 0) return undefined;
      throw error;
    }
  }

  history(account: PublicKeyHex, page: { readonly limit: number; readonly offset: number }): Promise<ProvenHistory> {
    return this.#histories.page(account, page);
  }

  async told(operation: string, input: unknown): Promise<unknown> {
    const question = { kind: "told", operation, input: JSON.stringify(input ?? {}) } as const;
    const answer = await this.#answers.first(async (peer) => {
      const given = await this.#dependencies.peers.ask<"told">(peer, question);
      if (given.kind === "unknown" || (given.kind === "error" && isTrouble(given.code)))
        throw given.kind === "error" ? refusal(given) : new CodedError("UPSTREAM_FAILED", `Peer ${peer} does not tell`);
      return given;
    });
    if (answer.kind === "error") throw refusal(answer);
    return parseResponse(answer.json);
  }

  submit(transaction: Transaction): Promise<{ readonly warning?: string }> {
    return this.#submissions.submit(transaction);
  }

  #fetchBody(at: TrustedBlock): Promise<ProvenBody> {
    const { height } = at.header;
    return this.#answers.first(async (peer) => {
      const answer = await this.#answers.given<"body">(peer, { kind: "body", height });
      return this.#answers.believe(peer, checkBody(at, answer, this.#dependencies.hash));
    });
  }

  async #transactionOf(peer: string, id: string, unknowing: Set<string>): Promise<ProvenTransaction | undefined> {
    const answer = await this.#dependencies.peers.ask<"transaction">(peer, { kind: "transaction", id });
    if (answer.kind === "unknown") {
      unknowing.add(peer);
      if (unknowing.size >= UNKNOWN_TO) return undefined;
      throw new CodedError("UPSTREAM_FAILED", `Peer ${peer} does not know the transaction ${id}`);
    }
    if (answer.kind === "error") throw refusal(answer);
    const at = await this.#answers.trust(answer.at, peer);
    return this.#answers.believe(peer, checkTransaction(at, id, answer, this.#dependencies.hash));
  }
}
