// One connection to the signer. Whatever arrives on it ends at most this connection, with one reason.
import type { Socket } from "node:net";
import { TokenBucket } from "#node/network/flow/token-bucket.ts";
import type { Log } from "#node/observability/log.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { CancelTimer, Clock, Timers } from "#shared/util/clock.ts";
import { SIGNER_LIMITS } from "../signer-limits.ts";
import { FrameReader } from "../wire/frames.ts";
import {
  answerFrame,
  decodeRequest,
  type SignerAnswer,
  type SignerRequest,
  type SignerVersion,
  type SignRequest,
  versionOfRequest,
} from "../wire/messages.ts";
import type { SignDesk } from "./sign-desk.ts";

const RATE = { perSecond: SIGNER_LIMITS.requestsPerSecond, burst: SIGNER_LIMITS.requestBurst };

/** What a connection works with. */
export interface SessionOptions {
  readonly desk: SignDesk;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Pick<Log, "warn">;
  /** Where it comes from, for the log. */
  readonly from: string;
  /** The node has said who it is: a reason when it is not served. */
  onHello(nodeKey: PublicKeyHex): string | undefined;
  onClose(): void;
}

/** Serves one socket. */
export class SignerSession {
  readonly #socket: Socket;
  readonly #options: SessionOptions;
  readonly #reader = new FrameReader();
  readonly #rate: TokenBucket;
  #nodeKey: PublicKeyHex | undefined;
  /** That of the first message; a node of an earlier version speaks its own. */
  #version: SignerVersion | undefined;
  #isOver = false;
  /** A timer runs for a frame that began. */
  #isWatched = false;
  #cancelPatience: CancelTimer;

  constructor(socket: Socket, options: SessionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#rate = new TokenBucket(RATE, options.clock.monotonicMs());
    this.#cancelPatience = options.timers.setTimer(SIGNER_LIMITS.patienceMs, () => this.end("nothing was said in time"));
    socket.setNoDelay(true);
    socket.setTimeout(SIGNER_LIMITS.silenceMs, () => this.end("the connection was silent"));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#isOver = true;
      this.#cancelPatience();
      options.onClose();
    });
    socket.on("data", (piece: Buffer) => this.#take(piece));
  }

  /** Key of the node, once it has said who it is. */
  get nodeKey(): PublicKeyHex | undefined {
    return this.#nodeKey;
  }

  /** Says why and closes. */
  end(reason: string): void {
    if (this.#isOver) return;
    this.#options.log.warn({ from: this.#options.from, node_key: this.#nodeKey }, `A connection was closed: ${reason}`);
    this.#send({ type: "bye", reason });
    this.#isOver = true;
    this.#cancelPatience();
    this.#socket.destroySoon();
    // One that does not read what is sent would keep it open.
    this.#cancelPatience = this.#options.timers.setTimer(SIGNER_LIMITS.answerMs, () => this.#socket.destroy());
  }

  /** Closes without a word. */
  drop(): void {
    this.#isOver = true;
    this.#socket.destroy();
  }

  #take(piece: Uint8Array): void {
    if (this.#isOver) return;
    const frames = this.#reader.take(piece);
    if (frames === undefined) {
      this.end(`a frame has 1 to ${SIGNER_LIMITS.frameBytes} bytes`);
      return;
    }
    if (frames.length > SIGNER_LIMITS.inFlight) {
      this.end(`more than ${SIGNER_LIMITS.inFlight} requests at once`);
      return;
    }
    for (const frame of frames) {
      if (this.#isOver) return;
      this.#handle(frame);
    }
    if (!this.#isOver && this.#nodeKey !== undefined) this.#watchFrame(frames.length > 0);
  }

  /** A frame that began must be complete in time, however many pieces of it arrive. */
  #watchFrame(isOther: boolean): void {
    if (isOther) {
      this.#cancelPatience();
      this.#isWatched = false;
    }
    if (this.#isWatched || !this.#reader.isInside) return;
    this.#isWatched = true;
    this.#cancelPatience = this.#options.timers.setTimer(SIGNER_LIMITS.patienceMs, () => this.end("a message was not complete in time"));
  }

  #handle(frame: Uint8Array): void {
    this.#version ??= versionOfRequest(frame);
    const request = this.#version && decodeRequest(frame, this.#version);
    if (request === undefined) this.end("this is no message of version 1 or 2 of the signer's protocol");
    else if (!this.#rate.take(1, this.#options.clock.monotonicMs()))
      this.end(`more than ${SIGNER_LIMITS.requestsPerSecond} requests a second`);
    else if (this.#nodeKey === undefined) this.#greet(request);
    else this.#answer(this.#nodeKey, request);
  }

  #greet(request: SignerRequest): void {
    const { desk, onHello } = this.#options;
    if (request.type !== "hello") {
      this.end("a connection begins with who is there");
      return;
    }
    if (request.chainId !== desk.chainId) {
      this.end(`the node is on the chain ${JSON.stringify(request.chainId)}, this signer signs for ${desk.chainId}`);
      return;
    }
    const refusal = onHello(request.nodeKey);
    if (refusal !== undefined) {
      this.end(refusal);
      return;
    }
    this.#nodeKey = request.nodeKey;
    this.#send({ type: "welcome", publicKey: desk.publicKey, last: desk.last });
  }

  #answer(nodeKey: PublicKeyHex, request: SignerRequest): void {
    if (request.type === "hello") this.end("a node says once who it is");
    else if (request.type === "ping") this.#send({ type: "pong", id: request.id, last: this.#options.desk.last });
    else if (request.type === "suspend") this.#vote(nodeKey, request);
    else this.#sign(nodeKey, request);
  }

  #vote(nodeKey: PublicKeyHex, { id, ballot }: Extract<SignerRequest, { readonly type: "suspend" }>): void {
    const { desk, log, from } = this.#options;
    const { relay } = ballot;
    const outcome = desk.vote(ballot);
    if ("signature" in outcome) log.warn({ from, node_key: nodeKey, relay }, "Signed a vote to suspend a relay that lied");
    else log.warn({ from, node_key: nodeKey, relay }, `No vote to suspend a relay was signed: ${outcome.refusal}`);
    this.#send(
      "signature" in outcome ? { type: "signed", id, signature: outcome.signature } : { type: "refused", id, reason: outcome.refusal },
    );
  }

  #sign(nodeKey: PublicKeyHex, request: SignRequest): void {
    const { desk, log, from } = this.#options;
    const { id, purpose, height, round } = request;
    try {
      const outcome = desk.sign(nodeKey, request);
      if ("offence" in outcome) this.end(outcome.offence);
      else if ("signature" in outcome) this.#send({ type: "signed", id, signature: outcome.signature });
      else {
        log.warn({ from, node_key: nodeKey, purpose, height, round }, `Not signed: ${outcome.refusal}`);
        this.#send({ type: "refused", id, reason: outcome.refusal });
      }
    } catch (error) {
      // Without its memory on the disk no signature leaves.
      log.warn({ from, node_key: nodeKey, purpose, height, round, err: error }, "Not signed: the signature could not be stored");
      this.#send({ type: "refused", id, reason: "the signer cannot store what it signs: see its log" });
    }
  }

  #send(answer: SignerAnswer): void {
    const cut = "reason" in answer ? { ...answer, reason: answer.reason.slice(0, SIGNER_LIMITS.reasonChars) } : answer;
    this.#socket.write(answerFrame(cut, this.#version));
    if (this.#socket.writableLength > SIGNER_LIMITS.unreadBytes) this.#socket.destroy();
  }
}
