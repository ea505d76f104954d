// Handing a transaction to full nodes: to two at once, for one may keep it to itself, then to the others while none has accepted it.
import type { PeerName } from "#node/network/peer-network.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { isPeerFault, type LightRequester } from "./network-light-peers.ts";
import { type PeerResponses, refusal } from "./peer-responses.ts";

/** What a peer says of a transaction that it took in. */
export interface Submitted {
  readonly warning?: string;
}

type Outcome = { readonly taken: Submitted } | { readonly refused: CodedError } | { readonly lost: CodedError };

/** Peers that get it at once. */
const AT_ONCE = 2;

/** Submits through peers. */
export class Submissions {
  readonly #responses: PeerResponses;
  readonly #peers: LightRequester;

  constructor({ responses, peers }: { readonly responses: PeerResponses; readonly peers: LightRequester }) {
    this.#responses = responses;
    this.#peers = peers;
  }

  /** Resolves when a peer has accepted it. @throws CodedError the reason of those that refused it, UPSTREAM_FAILED without any response */
  async submit(transaction: Transaction): Promise<Submitted> {
    const bytes = encodeTransaction(transaction);
    const peers = this.#responses.bestPeers();
    const outcomes: Outcome[] = [];
    for (let at = 0; at < peers.length; at += at === 0 ? AT_ONCE : 1) {
      const asked = peers.slice(at, at + (at === 0 ? AT_ONCE : 1)).map((peer) => this.#hand(peer, bytes));
      const taken = await firstTaken(asked);
      if (taken !== undefined) return taken;
      outcomes.push(...(await Promise.all(asked)));
    }
    return conclude(outcomes);
  }

  async #hand(peer: PeerName, transaction: Uint8Array): Promise<Outcome> {
    try {
      const response = await this.#peers.ask<"submit">(peer, { kind: "submit", transaction });
      if (response.kind === "accepted") return { taken: response.warning === null ? {} : { warning: response.warning } };
      if (response.kind === "error") return isPeerFault(response.code) ? { lost: refusal(response) } : { refused: refusal(response) };
      return { lost: new CodedError("UPSTREAM_FAILED", `Peer ${peer} does not say whether it took the transaction in`) };
    } catch (error) {
      if (isCodedError(error)) return { lost: error };
      throw error;
    }
  }
}

/** The first that was taken in, as soon as it is; undefined when none was. */
async function firstTaken(asked: readonly Promise<Outcome>[]): Promise<Submitted | undefined> {
  const takings = asked.map(async (outcome): Promise<Submitted> => {
    const known = await outcome;
    if ("taken" in known) return known.taken;
    throw "refused" in known ? known.refused : known.lost;
  });
  return await Promise.any(takings).catch(() => undefined);
}

function conclude(outcomes: readonly Outcome[]): Submitted {
  const refusals = outcomes.flatMap((outcome) => ("refused" in outcome ? [outcome.refused] : []));
  const losses = outcomes.flatMap((outcome) => ("lost" in outcome ? [outcome.lost] : []));
  const other = refusals.find(({ code }) => code !== "TX_DUPLICATE");
  if (other !== undefined) throw other;
  const [duplicate] = refusals;
  // A peer whose response was lost has passed it on to the one that knows it.
  if (duplicate !== undefined && losses.length > 0) return {};
  if (duplicate !== undefined) throw duplicate;
  throw losses[0] ?? new CodedError("UPSTREAM_FAILED", "No full node is connected");
}
