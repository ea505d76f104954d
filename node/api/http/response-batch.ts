// Responses of one turn of the event loop, sent together at its end. The first write wakes the program at the other end, which costs more
// than the write itself; the following ones find it awake. One response alone is sent as soon as without this.
import type { FastifyReply } from "fastify";

/** Collects responses until the end of the turn. */
export class ResponseBatch {
  #waiting: (readonly [FastifyReply, string])[] = [];

  /** Sends a text at the end of this turn. Whatever else the reply is to have must be set before. */
  add(reply: FastifyReply, text: string): void {
    if (this.#waiting.push([reply, text]) === 1) setImmediate(() => this.#send());
  }

  #send(): void {
    const responses = this.#waiting;
    this.#waiting = [];
    for (const [reply, text] of responses) {
      try {
        reply.send(text);
      } catch (error) {
        // Nothing above this on the stack catches it; the others are to have their responses.
        reply.log.error(error);
        reply.raw.destroy();
      }
    }
  }
}
