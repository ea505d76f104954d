// What this node asks its signer for. A request leaves with the flush that made everything durable which led to it, so after a crash the
// log leads to the same request again, and the signer gives the same signature.
import type { UnsignedMessage } from "#node/consensus/effects.ts";
import type { LoggedInput } from "#node/consensus/inputs.ts";
import { proposalSignBytes, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import { comparePositions, type SignedRecord, type SignPosition } from "../../log/sign-guard.ts";
import type { RemoteSigner } from "./remote-signer.ts";

/** Requests of a height that are remembered: three a round. */
const MAX_ASKED = 96;

/** A message and what its signature is over. */
export interface SigningRequest {
  readonly message: UnsignedMessage;
  readonly position: SignPosition;
  readonly signBytes: Uint8Array;
}

/** Requests of one height. */
export class SigningRequests {
  readonly #remote: RemoteSigner;
  readonly #onAnswer: (request: SigningRequest, answer: Promise<Uint8Array | undefined>) => void;
  #asked: SigningRequest[] = [];
  #unsent: SigningRequest[] = [];

  constructor(remote: RemoteSigner, onAnswer: (request: SigningRequest, answer: Promise<Uint8Array | undefined>) => void) {
    this.#remote = remote;
    this.#onAnswer = onAnswer;
  }

  /** The core wants this signed, or did before a restart. */
  note(request: SigningRequest): void {
    if (!this.explains(request)) this.#asked = [...this.#asked.slice(1 - MAX_ASKED), request];
  }

  /** Sends a request with the next flush. */
  add(request: SigningRequest): void {
    this.#unsent.push(request);
  }

  /** True for a signature that this node wanted. */
  explains({ position, signBytes }: Pick<SignedRecord, "position" | "signBytes">): boolean {
    return this.#asked.some((asked) => comparePositions(asked.position, position) === 0 && equalBytes(asked.signBytes, signBytes));
  }

  /** All that led to the requests is durable. */
  flush(): void {
    const unsent = this.#unsent;
    this.#unsent = [];
    for (const request of unsent) this.#onAnswer(request, this.#remote.sign(request.position, request.signBytes));
  }

  /** Another height begins. */
  clear(): void {
    this.#asked = [];
    this.#unsent = [];
  }
}

/** What is asked for a message, of whichever key. */
export function requestFor(chainId: string, message: UnsignedMessage): SigningRequest {
  if (message.type === "proposal") {
    const { height, round } = message.proposal;
    return { message, position: { height, round, step: "proposal" }, signBytes: proposalSignBytes(chainId, message.proposal) };
  }
  const { height, round, type } = message.vote;
  return { message, position: { height, round, step: type }, signBytes: voteSignBytes(chainId, message.vote) };
}

/** A message with its signature, as the core takes it in. */
export function signedInput(message: UnsignedMessage, signature: Uint8Array): LoggedInput {
  return message.type === "proposal"
    ? { type: "proposal", proposal: { ...message.proposal, signature }, isTimely: true }
    : { type: "vote", vote: { ...message.vote, signature } };
}
