// One connection of a node to its signer: who is there, requests with their answers, and nothing that is not of the protocol.
import { connect as connectSocket, type Socket } from "node:net";
import { formatSignerAddress, type SignerAddress } from "#node/config/signer-address.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";
import { SIGNER_LIMITS } from "../signer-limits.ts";
import { connectPinned } from "../tls/pinned-tls.ts";
import type { TlsIdentity } from "../tls/self-signed-certificate.ts";
import { FrameReader } from "../wire/frames.ts";
import {
  type Ballot,
  decodeAnswer,
  type LastSigned,
  requestFrame,
  type SignerAnswer,
  type SignerRequest,
  type SignerVersion,
  type SignRequest,
} from "../wire/messages.ts";

/** Where the signer is, and how both sides know each other. */
export interface SignerPlace {
  readonly address: SignerAddress;
  /** Needed for a port: this node's key, and the signer's fingerprint. */
  readonly tls?: { readonly identity: TlsIdentity; readonly fingerprint: string };
}

export interface ConnectionOptions extends SignerPlace {
  readonly chainId: string;
  readonly nodeKey: PublicKeyHex;
  readonly timers: Timers;
  /** That this node speaks here. */
  readonly version: SignerVersion;
  /** The signer has said whose key it has, and what it signed last. */
  onWelcome(publicKey: PublicKeyHex, last: LastSigned): void;
  onLast(last: LastSigned): void;
  /** An answer came after its time. */
  onLate(): void;
  /** The connection is over, once; `isEarlier` where the signer speaks no version but earlier ones. */
  onEnd(reason: string, isEarlier: boolean): void;
}

/** What became of a request. */
export type SignerReply =
  | { readonly type: "signed"; readonly signature: Uint8Array }
  | { readonly type: "refused"; readonly reason: string }
  | { readonly type: "late" }
  | { readonly type: "lost" };

interface Waiting {
  readonly resolve: (reply: SignerReply) => void;
  readonly isLate: boolean;
  readonly cancel: CancelTimer;
}

/** A connection from its first byte to its last. */
export class SignerConnection {
  readonly #options: ConnectionOptions;
  readonly #socket: Socket;
  readonly #reader = new FrameReader();
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 0;
  #isGreeted = false;
  #isOver = false;
  #cancelGreeting: CancelTimer;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#cancelGreeting = options.timers.setTimer(SIGNER_LIMITS.patienceMs, () => this.close("it does not answer"));
    this.#socket = open(options, () => this.#hello());
    this.#socket.on("data", (piece: Buffer) => this.#take(piece));
    this.#socket.on("error", (error) => this.close(error.message));
    this.#socket.on("close", () => this.close("it closed the connection"));
  }

  /** Asks for a signature; the answer counts for a second. */
  sign(request: Omit<SignRequest, "type" | "id">): Promise<SignerReply> {
    if (this.#waiting.size >= SIGNER_LIMITS.inFlight) return Promise.resolve({ type: "late" });
    return this.#ask((id) => ({ type: "sign", id, ...request }), SIGNER_LIMITS.answerMs);
  }

  /** Asks for the signature of a vote about a relay, in version 2. */
  vote(ballot: Ballot): Promise<SignerReply> {
    if (this.#waiting.size >= SIGNER_LIMITS.inFlight) return Promise.resolve({ type: "late" });
    return this.#ask((id) => ({ type: "suspend", id, ballot }), SIGNER_LIMITS.answerMs);
  }

  /** Asks what was signed last; false when too much is asked already. */
  ping(): boolean {
    if (this.#waiting.size >= SIGNER_LIMITS.inFlight) return false;
    void this.#ask((id) => ({ type: "ping", id }), SIGNER_LIMITS.deadMs);
    return true;
  }

  /** Ends it; every request that waits is lost. */
  close(reason: string, isEarlier = false): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelGreeting();
    this.#socket.destroy();
    for (const { resolve, cancel } of this.#waiting.values()) {
      cancel();
      resolve({ type: "lost" });
    }
    this.#waiting.clear();
    this.#options.onEnd(reason, isEarlier);
  }

  #hello(): void {
    const { chainId, nodeKey } = this.#options;
    this.#socket.setNoDelay(true);
    this.#say({ type: "hello", chainId, nodeKey });
  }

  #say(request: SignerRequest): void {
    this.#socket.write(requestFrame(request, this.#options.version));
  }

  #ask(request: (id: number) => SignerRequest, lateMs: number): Promise<SignerReply> {
    if (this.#isOver || !this.#isGreeted) return Promise.resolve({ type: "lost" });
    const id = this.#nextId;
    this.#nextId = (id + 1) % 0x1_0000_0000;
    const { timers } = this.#options;
    return new Promise((resolve) => {
      // What is late is awaited a while longer: its answer says that the signer is there again, and its silence that it is not.
      const wait = (isLate: boolean, ms: number, then: () => void): void =>
        void this.#waiting.set(id, { resolve, isLate, cancel: timers.setTimer(ms, then) });
      const dead = (): void => this.close("it does not answer");
      if (lateMs >= SIGNER_LIMITS.deadMs) wait(false, SIGNER_LIMITS.deadMs, dead);
      else
        wait(false, lateMs, () => {
          resolve({ type: "late" });
          wait(true, SIGNER_LIMITS.deadMs - lateMs, dead);
        });
      this.#say(request(id));
    });
  }

  #take(piece: Uint8Array): void {
    if (this.#isOver) return;
    const { version } = this.#options;
    const frames = this.#reader.take(piece);
    if (frames === undefined) this.close("it sent a frame that is too large");
    for (const frame of frames ?? []) {
      if (this.#isOver) return;
      const answer = decodeAnswer(frame, version);
      if (answer !== undefined) this.#handle(answer);
      // A signer of an earlier version says so in its own words, and hangs up.
      else if (!this.#isGreeted && version > 1 && decodeAnswer(frame, 1)?.type === "bye") this.close("it is of an earlier version", true);
      else this.close(`it does not speak version ${version} of the signer's protocol`);
    }
  }

  #handle(answer: SignerAnswer): void {
    const { onWelcome, onLast } = this.#options;
    if (answer.type === "bye") this.close(plain(answer.reason));
    else if (answer.type === "welcome") {
      if (this.#isGreeted) {
        this.close("it greeted twice");
        return;
      }
      this.#isGreeted = true;
      this.#cancelGreeting();
      onWelcome(answer.publicKey, answer.last);
    } else this.#settle(answer, onLast);
  }

  #settle(answer: Extract<SignerAnswer, { readonly id: number }>, onLast: (last: LastSigned) => void): void {
    const waiting = this.#waiting.get(answer.id);
    if (waiting === undefined) {
      this.close("it answered what was not asked");
      return;
    }
    this.#waiting.delete(answer.id);
    waiting.cancel();
    if (answer.type === "pong") {
      onLast(answer.last);
      return;
    }
    if (waiting.isLate) this.#options.onLate();
    else if (answer.type === "signed") waiting.resolve({ type: "signed", signature: answer.signature });
    else waiting.resolve({ type: "refused", reason: plain(answer.reason) });
  }
}

function open({ address, tls }: SignerPlace, onSecure: () => void): Socket {
  if (address.type === "socket") return connectSocket(address.path, onSecure);
  if (tls === undefined) throw new Error(`${formatSignerAddress(address)} needs the fingerprint of the signer`);
  return connectPinned(address, tls.identity, { fingerprint: tls.fingerprint, onSecure });
}

/** A text of the other side for the log: on one line, without what cannot be seen. */
function plain(text: string): string {
  return text.replace(/\p{C}/gu, "");
}
