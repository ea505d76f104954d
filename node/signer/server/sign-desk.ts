// Decides about one request for a signature: what the bytes are, whether the request says the same, and what the memory allows.
import { comparePositions } from "#node/engine/log/sign-guard.ts";
import { interpretTransaction, payloadSignatures } from "#node/ledger/check-transaction.ts";
import { TokenBucket } from "#node/network/flow/token-bucket.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import { signedBytes } from "#shared/protocol/transactions/transaction-id.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { RememberedSignature, SignerMemory, SigningOutcome } from "../memory/signer-memory.ts";
import { SIGNER_LIMITS } from "../signer-limits.ts";
import { voteOf } from "../wire/ballot.ts";
import type { Ballot, LastSigned, SignRequest } from "../wire/messages.ts";
import { readSignedBytes, type SignedContent } from "../wire/signed-bytes.ts";

/** A signature, a refusal of this request, or what no node of this validator would ever ask for. */
export type DeskOutcome = SigningOutcome | { readonly offence: string };

export interface SignDeskOptions {
  readonly chainId: string;
  readonly publicKey: PublicKeyHex;
  readonly memory: SignerMemory;
  readonly verify: VerifySignature;
  readonly clock: Pick<Clock, "monotonicMs">;
}

const BALLOT_RATE = { perSecond: SIGNER_LIMITS.ballotsPerSecond, burst: SIGNER_LIMITS.ballotBurst };

/** Signs for a validator on one chain. */
export class SignDesk {
  readonly #options: SignDeskOptions;
  readonly #ballots: TokenBucket;

  constructor(options: SignDeskOptions) {
    this.#options = options;
    this.#ballots = new TokenBucket(BALLOT_RATE, options.clock.monotonicMs());
  }

  get chainId(): string {
    return this.#options.chainId;
  }

  get publicKey(): PublicKeyHex {
    return this.#options.publicKey;
  }

  /** The newest signature, as it is sent. */
  get last(): LastSigned {
    return lastOf(this.#options.memory.last);
  }

  /** @throws what storing the signature failed with: nothing was signed. */
  sign(nodeKey: PublicKeyHex, request: SignRequest): DeskOutcome {
    const { chainId, memory } = this.#options;
    const content = readSignedBytes(chainId, request.bytes);
    if (content.type === "unsignable") return { offence: content.reason };
    if (!isSame(request, content)) return { offence: "the request names another purpose or position than its bytes" };
    if (content.type === "consensus") return memory.sign(nodeKey, { ...content, signBytes: request.bytes });
    if (content.type === "parts") return memory.signParts(content, request.bytes);
    const { validator, node } = content.seat;
    if (validator !== this.#options.publicKey || node !== nodeKey)
      return { offence: "a seat is of this signer's validator and of the node that asks" };
    return memory.signFreely(request.bytes);
  }

  /**
   * Signs a vote to suspend a relay, for digests that contradict each other and that the relay has signed: this is the one transaction that is
   * signed here, and it is made here, so that it can be no other one. It has no position, and costs nothing.
   */
  vote(ballot: Ballot): SigningOutcome {
    const { chainId, publicKey, memory, verify, clock } = this.#options;
    if (!this.#ballots.take(1, clock.monotonicMs()))
      return { refusal: `more than ${SIGNER_LIMITS.ballotsPerSecond} votes about relays a second` };
    // Over such an id a transaction of every chain would be signed.
    if (ballot.salt.every((byte) => byte === 0)) return { refusal: "the id of the vote has no salt" };
    const vote = voteOf(chainId, publicKey, ballot);
    const tx = { ...vote, signature: "" };
    const interpretation = interpretTransaction(tx);
    if (!interpretation.isOk) return { refusal: interpretation.problem.message };
    if (!payloadSignatures(tx, chainId).every(({ signature, message, publicKey: relay }) => verify(signature, message, relay)))
      return { refusal: "the relay has not signed both digests" };
    return memory.signFreely(signedBytes(vote));
  }
}

function isSame({ purpose, height, round }: SignRequest, content: SignedContent): boolean {
  if (content.type === "consensus")
    return content.position.step === purpose && comparePositions(content.position, { height, round, step: purpose }) === 0;
  if (content.type === "parts") return purpose === "parts" && content.height === height && content.round === round;
  return purpose === "seat" && height === 0 && round === 0;
}

function lastOf(last: RememberedSignature | undefined): LastSigned {
  if (last === undefined) return null;
  const { position, signBytes, signature } = last;
  return { ...position, signBytes, signature };
}
