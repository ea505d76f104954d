// What chats say of payments: their private notes, and where they were made. Only the messenger of this device knows.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMessenger, useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import type { PaymentReceipt } from "#shared/messenger/model/conversation.ts";
import type { ActivityItem } from "./activity-item.ts";

type Payment = Pick<ActivityItem, "id" | "kind" | "direction" | "peer">;
const NONE: ReadonlyMap<string, PaymentReceipt> = new Map();

/** Receipts of payments by transaction, looked up again when a message comes. */
export function useChatPayments(items: readonly Payment[]): ReadonlyMap<string, PaymentReceipt> {
  const messenger = useMessenger();
  const { phase, conversations } = useMessengerSnapshot();
  const payments = items.flatMap(({ id, kind, direction, peer }) =>
    kind !== "transfer" || peer === undefined || direction === "self" ? [] : [{ txId: id, peer, direction }],
  );
  const { data } = useQuery({
    queryKey: ["chat-payments", payments.map(({ txId }) => txId).join(" "), conversations[0]?.updatedAt],
    queryFn: () => messenger?.findPayments(payments) ?? NONE,
    enabled: messenger !== undefined && phase === "running" && payments.length > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return data ?? NONE;
}
