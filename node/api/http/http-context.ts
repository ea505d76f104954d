// What a handler may know of an HTTP request, found when it asks: most handlers ask nothing.
import type { FastifyReply, FastifyRequest } from "fastify";
import { INBOX_PROOF_HEADER } from "#shared/api/inbox-proof.ts";
import type { RequestContext } from "../handler-types.ts";
import { isLocalRequest } from "../security/client-address.ts";

/** Context of a request. */
export class HttpContext implements RequestContext {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request;
    this.#reply = reply;
  }

  get method(): string {
    return this.#request.method;
  }

  get path(): string {
    const { url } = this.#request;
    const queryStart = url.indexOf("?");
    return queryStart === -1 ? url : url.slice(0, queryStart);
  }

  get isLocal(): boolean {
    return isLocalRequest(this.#request);
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
