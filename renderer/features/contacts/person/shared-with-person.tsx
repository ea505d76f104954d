// Pictures, files and links of the chat with a person, where there is one.
import type { ReactElement } from "react";
import { Pending } from "#renderer/components/feedback/pending.tsx";
import { SharedFilesSection } from "#renderer/components/shared-files/shared-files.tsx";
import { hasOpenChat } from "#renderer/lib/messenger/has-open-chat.ts";
import { useMessenger, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { usePersonActions } from "#renderer/lib/people/people-context.tsx";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

export function SharedWithPerson({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement | null {
  const messenger = useMessenger();
  const { showMessage } = usePersonActions();
  const isStarting = useMessengerValue(({ phase }) => phase === "idle" || phase === "starting");
  const hasChat = useMessengerValue((snapshot) => hasOpenChat(snapshot, publicKey));
  if (isStarting) return <Pending />;
  if (messenger === undefined || !hasChat || showMessage === undefined) return null;
  return (
    <SharedFilesSection key={publicKey} id={publicKey} messenger={messenger} onOpen={(message): void => showMessage(publicKey, message)} />
  );
}
