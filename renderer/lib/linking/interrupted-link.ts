// What stays of a linking while this device has no password: nothing but the sealed word that it ended, ready to be sent. With it the
// other device learns of a page that was reloaded or closed, though all keys of the linking went with it.
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { NodeAccess } from "../node/access/node-access.ts";

const KEY = "parley.interrupted-link";

/** From now on leaving means that the linking is lost. */
export function storeEnd(envelope: Envelope): void {
  localStorage.setItem(KEY, JSON.stringify(envelope));
}

/** It is over, one way or the other. */
export function forgetEnd(): void {
  localStorage.removeItem(KEY);
}

/** True when a linking was left. */
export function isInterrupted(): boolean {
  return localStorage.getItem(KEY) !== null;
}

/** Sends the word to the other device. Rejects while the node is away. */
export async function sendInterrupted({ client }: NodeAccess): Promise<void> {
  const stored = localStorage.getItem(KEY);
  if (stored === null) return;
  await client.broadcastEnvelope({ body: { envelope: JSON.parse(stored) as Envelope } });
  forgetEnd();
}
