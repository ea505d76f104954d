// All connections of a signer: few, each of one node, and none that waits for ever to say which.
import type { Socket } from "node:net";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { SIGNER_LIMITS } from "../signer-limits.ts";
import { type SessionOptions, SignerSession } from "./signer-session.ts";

/** Sessions by what they are. */
export class SignerSessions {
  readonly #options: Omit<SessionOptions, "from" | "onHello" | "onClose">;
  readonly #sessions = new Set<SignerSession>();

  constructor(options: Omit<SessionOptions, "from" | "onHello" | "onClose">) {
    this.#options = options;
  }

  /** Serves a socket whose other side may be here. */
  accept(socket: Socket, from: string): void {
    this.#makeRoom();
    const session: SignerSession = new SignerSession(socket, {
      ...this.#options,
      from,
      onHello: (nodeKey) => this.#admit(session, nodeKey),
      onClose: () => this.#sessions.delete(session),
    });
    this.#sessions.add(session);
  }

  close(): void {
    for (const session of this.#sessions) session.end("the signer stops");
  }

  #makeRoom(): void {
    const pending = [...this.#sessions].filter(({ nodeKey }) => nodeKey === undefined);
    const [oldest] = pending;
    if (oldest === undefined || pending.length < SIGNER_LIMITS.pending) return;
    this.#sessions.delete(oldest);
    oldest.drop();
  }

  /** A node that connects again has lost its former connection, whatever this side knows of it. */
  #admit(session: SignerSession, nodeKey: PublicKeyHex): string | undefined {
    for (const other of this.#sessions) if (other !== session && other.nodeKey === nodeKey) other.end("the node has connected again");
    const served = [...this.#sessions].filter((other) => other.nodeKey !== undefined && other.nodeKey !== nodeKey);
    return served.length < SIGNER_LIMITS.nodes ? undefined : `${SIGNER_LIMITS.nodes} nodes are served already`;
  }
}
