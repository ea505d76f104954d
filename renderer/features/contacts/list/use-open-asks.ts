// Requests for money that wait for an answer, read again when their number changes or something comes into their chats: where one is answered
// while another comes, or as many are known as may be, there are as many as before.
import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useMessenger, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import type { AskingMessage } from "#shared/messenger/model/conversation.ts";

/** None unless they are wanted; no data until they are read, and where that failed. */
export function useOpenAsks(isWanted: boolean): UseQueryResult<readonly AskingMessage[]> {
  const messenger = useMessenger();
  const mark = useMessengerValue(({ conversations }) =>
    conversations.flatMap(({ id, asks, updatedAt, isBlocked }) => (asks === 0 ? [] : [`${id} ${asks} ${updatedAt} ${isBlocked}`])).join(),
  );
  const isAsked = isWanted && mark !== "";
  return useQuery({
    queryKey: ["open-asks", isAsked ? mark : ""],
    queryFn: async () => (isAsked ? ((await messenger?.openAsks()) ?? NONE) : NONE),
    enabled: !isAsked || messenger !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
    staleTime: 0,
  });
}

const NONE: readonly AskingMessage[] = [];
