// What a handler may know of an HTTP request, found when it asks: most handlers ask nothing.
import type { FastifyReply, FastifyRequest } from "fastify";
import { INBOX_PROOF_HEADER } from "#shared/api/inbox-proof.ts";
import type { RequestContext } from "../handler-types.ts";
import type { CallerRights } from "../security/access-guard.ts";
import { addressGroup } from "../security/client-address.ts";

/** Context of a request. */
export class HttpContext implements RequestContext {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #rights: CallerRights;

  constructor(request: FastifyRequest, reply: FastifyReply, rights: CallerRights) {
    this.#request = request;
    this.#reply = reply;
    this.#rights = rights;
  }

  get address(): string {
    return addressGroup(this.#request.ip);
  }

  get isOwn(): boolean {
    return this.#rights.isOwn(this.#request);
  }

  get looksLocal(): boolean {
    return this.#rights.looksLocal(this.#request);
  }

  get isExempt(): boolean {
    return this.#rights.isExempt(this.#request);
  }

  spend(requests: number): void {
    this.#rights.chargeBody(this.#request, { bytes: 0, more: requests });
  }

  get inboxProof(): string | undefined {
    const proof = this.#request.headers[INBOX_PROOF_HEADER];
    return typeof proof === "string" ? proof : undefined;
  }

  onHangUp(listener: () => void): void {
    // Of the response, not of the request: that one has ended as soon as it is read.
    this.#reply.raw.once("close", listener);
  }
}
