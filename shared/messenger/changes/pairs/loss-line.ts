// Says in a chat that something of a person is lost for good.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import type { Change } from "../change.ts";

/** What is lost. `id` follows from the positions: the same loss makes one line. */
export interface Loss {
  readonly peer: PublicKeyHex;
  readonly device: string;
  readonly id: string;
  readonly count: number;
}

/** Adds the line. */
export async function addLossLine(
  { store, clock }: Pick<EngineContext, "store" | "clock">,
  change: Change,
  { peer, device, id, count }: Loss,
): Promise<void> {
  const conversation = change.conversationForLoss(peer);
  change.addMessage(await store.messageKey(`missing:${device}`, id), {
    conversation,
    id: "",
    direction: "in",
    at: Math.max(clock.nowMs(), (change.conversation(conversation).lastMessage?.at ?? 0) + 1),
    body: { kind: "missing", count },
    state: null,
    problem: null,
    isUnread: false,
    hasReceipts: false,
    raw: null,
  });
}
