// Requests for money that wait for an answer, read again when their number changes or something comes into their chats: where one is answered
// while another comes, or as many are known as may be, there are as many as before.
import { useEffect, useState } from "react";
import { useMessenger, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import type { AskingMessage } from "#shared/messenger/model/conversation.ts";

/** None unless they are wanted; undefined until they are read. */
export function useOpenAsks(isWanted: boolean): readonly AskingMessage[] | undefined {
  const messenger = useMessenger();
  const mark = useMessengerValue(({ conversations }) =>
    conversations.flatMap(({ id, asks, updatedAt, isBlocked }) => (asks === 0 ? [] : [`${id} ${asks} ${updatedAt} ${isBlocked}`])).join(),
  );
  const [read, setRead] = useState<readonly AskingMessage[]>();
  useEffect(() => {
    let hasEnded = false;
    if (isWanted && messenger !== undefined && mark !== undefined)
      messenger.openAsks().then(
        (asks) => {
          if (!hasEnded) setRead(asks);
        },
        () => undefined,
      );
    return (): void => {
      hasEnded = true;
    };
  }, [messenger, isWanted, mark]);
  return isWanted && mark !== "" ? read : NONE;
}

const NONE: readonly AskingMessage[] = [];
