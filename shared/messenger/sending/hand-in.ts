// Hands envelopes in. What the node does not take for a box of a device is sealed again for the lasting mailbox of that device: nothing waits for a
// box that its owner closed, that is full, or of which the node knows nothing.
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { ErrorCode } from "#shared/errors/codes.ts";
import type { SealedEnvelope, SealRequest } from "#shared/keyring/keyring-api.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** What is about the box, not about the node. */
const OF_BOX: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["FORBIDDEN", "NOT_FOUND", "MAILBOX_FULL", "ENVELOPE_INVALID", "BAD_REQUEST"]);

/** An envelope, and what it was sealed of. */
export interface HandedEnvelope {
  readonly envelope: SealedEnvelope;
  readonly request: SealRequest;
}

/** Resolves once a node has it. @throws CodedError of the node for the last of what was tried, or of the keyring. */
export async function handIn(
  { node, keyring, boxes, clock }: Pick<EngineContext, "node" | "keyring" | "boxes" | "clock">,
  { envelope, request }: HandedEnvelope,
): Promise<void> {
  try {
    await node.broadcast(envelope);
  } catch (error) {
    const { pair } = request;
    if (pair?.box === undefined || !isCodedError(error) || !OF_BOX.has(error.code)) throw error;
    boxes.noteRefused(envelope.recipient_pub, clock.monotonicMs());
    const { box: _, ...lasting } = pair;
    const [again] = await keyring.seal({ requests: [{ ...request, pair: lasting }] });
    if (again === undefined) throw error;
    await node.broadcast(again);
  }
}
