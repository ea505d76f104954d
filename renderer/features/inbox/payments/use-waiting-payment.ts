// The payment that waits by the spending rules and answers a request. The keyring has it, so it is there after a reload, and gone when it
// was cancelled in whichever window.
import { useSpending } from "#renderer/lib/keyring/use-spending.ts";
import type { WaitingPayment } from "#shared/keyring/intents/spending/spending-api.ts";
import type { MessageKey } from "#shared/messenger/model/message.ts";

/** A payment that waits. */
export interface WaitingClaim {
  readonly id: string;
  /** When it can be signed, milliseconds since 1970. */
  readonly untilMs: number;
  readonly isSigned: boolean;
}

/** `isKnown`: the keyring has said what waits, or that it cannot. */
export function useWaitingPayment(request: MessageKey): { readonly waiting: WaitingClaim | undefined; readonly isKnown: boolean } {
  const { data, dataUpdatedAt, isPending } = useSpending();
  return { waiting: waitingFor(data?.waiting ?? [], request, dataUpdatedAt), isKnown: !isPending };
}

/** The one of a list, as it was at a time, that answers a request. */
export function waitingFor(list: readonly WaitingPayment[], request: MessageKey, nowMs: number): WaitingClaim | undefined {
  const found = list.find(({ chat }) => chat?.request === request);
  return found && { id: found.id, untilMs: nowMs + found.leftMs, isSigned: found.isSigned };
}
