// Responses that are too large to be written at once: in slices, within the budget of what waits for readers.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AccessGuard, CallerRights } from "../security/access-guard.ts";
import { addressGroup } from "../security/client-address.ts";
import { SLICE_BYTES, SlicedBody } from "./sliced-body.ts";
import type { WaitingBytes } from "./waiting-bytes.ts";

type Payload = string | Buffer;

/** A response on its way. */
export interface LargeResponse {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly payload: Payload;
}

/** True for a body that is sent in slices. */
export function isLarge(payload: unknown): payload is Payload {
  return (typeof payload === "string" || Buffer.isBuffer(payload)) && payload.length > SLICE_BYTES;
}

/** Continues with the body in slices, or fails for want of room. */
export function sendInSlices(
  { request, reply, payload }: LargeResponse,
  { waiting, guard }: { readonly waiting: WaitingBytes; readonly guard: CallerRights & Pick<AccessGuard, "charge"> },
  done: (error: Error | null, payload?: unknown) => void,
): void {
  if (request.method === "HEAD") {
    done(null, payload);
    return;
  }
  try {
    const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
    const body = new SlicedBody(bytes, waiting, { address: addressGroup(request.ip), isOwn: guard.isOwn(request) });
    reply.header("content-length", bytes.length);
    guard.charge(request, bytes.length);
    done(null, body);
  } catch (error) {
    done(error as Error);
  }
}
