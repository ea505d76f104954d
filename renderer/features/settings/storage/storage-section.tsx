// What messages and files take on this device, and the way to remove the files of a chat.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Bookmark } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { Pending } from "#renderer/components/feedback/pending.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { ListRow } from "#renderer/components/layout/list-row.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { VirtualRows } from "#renderer/components/layout/virtual-rows.tsx";
import { ConfirmSheet } from "#renderer/components/overlays/confirm-sheet.tsx";
import { GroupPicture, PictureSymbol } from "#renderer/components/people/group-picture.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { formatBytes } from "#renderer/lib/format/bytes.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { useChatNames } from "#renderer/lib/people/names/use-chat-names.ts";
import type { ChatStorage } from "#shared/messenger/commands/removing/storage-use.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { sumOfChats } from "./sum-of-chats.ts";

const ROW_HEIGHT = 56;
const KEY = ["storage-use"];

export function StorageSection(): ReactElement {
  const t = useMessages();
  const messenger = useMessenger();
  const isRunning = useMessengerValue(({ phase }) => phase === "running");
  return (
    <>
      <BrowserUse />
      <Section title={t("storage.chats")} hint={t("storage.chatsText")}>
        {messenger !== undefined && isRunning ? <Chats messenger={messenger} /> : <p>{t("storage.notRunning")}</p>}
      </Section>
      <p className={shared.hint}>{t("storage.download")}</p>
    </>
  );
}

/** What the browser says; nothing where it does not. */
function BrowserUse(): ReactElement | null {
  const t = useMessages();
  const { data, isPending } = useQuery({
    queryKey: ["browser-storage"],
    queryFn: async () => ({ ...(await navigator.storage.estimate()), isPersistent: await navigator.storage.persisted() }),
    retry: false,
    gcTime: 0,
  });
  if (isPending) return <Pending />;
  if (data?.usage === undefined || data.quota === undefined) return null;
  return (
    <Section title={t("storage.device")}>
      <KeyValueList
        rows={[
          { label: t("storage.used"), value: formatBytes(t.locale, data.usage), strong: true },
          { label: t("storage.room"), value: formatBytes(t.locale, Math.max(0, data.quota - data.usage)) },
          { label: t("storage.persistent"), value: t(data.isPersistent ? "storage.persistentYes" : "storage.persistentNo") },
        ]}
      />
    </Section>
  );
}

function Chats({ messenger }: { readonly messenger: Messenger }): ReactElement {
  const t = useMessages();
  const { data, error, refetch } = useQuery({ queryKey: KEY, queryFn: () => messenger.storageUse(), retry: false, gcTime: 0 });
  const nameOf = useChatNames((data?.chats ?? []).map(({ conversation }) => conversation));
  if (error !== null) return <ErrorState error={error} onRetry={(): void => void refetch()} />;
  if (data === undefined) return <SkeletonRows count={4} />;
  const { messages, files, fileBytes } = sumOfChats(data.chats);
  return (
    <div className={shared.stack3}>
      <p>{messages + files === 0 ? t("storage.none") : sumInWords(t, { messages, files, fileBytes })}</p>
      {data.isPartial && <p className={shared.hint}>{t("storage.partial")}</p>}
      <VirtualRows
        label={t("storage.chats")}
        items={data.chats}
        keyOf={({ conversation }): string => conversation}
        estimateSize={ROW_HEIGHT}
        renderItem={(chat): ReactElement => <Chat chat={chat} name={nameOf(chat.conversation)} messenger={messenger} />}
      />
    </div>
  );
}

/** Messages, and files where there are any. */
function sumInWords(t: Translate, { messages, files, fileBytes }: Omit<ChatStorage, "conversation">): string {
  const count = t("storage.messages", { count: messages });
  if (files === 0) return count;
  return t("storage.sum", { messages: count, files: t("storage.files", { count: files }), size: formatBytes(t.locale, fileBytes) });
}

/** The name of a chat with a person is their key. */
function isKey(conversation: string): boolean {
  return /^[0-9a-f]{64}$/.test(conversation);
}

function ChatPicture({ conversation }: { readonly conversation: string }): ReactElement {
  const { masterPub } = useAccount();
  if (conversation === masterPub) return <PictureSymbol icon={Bookmark} size={32} />;
  return isKey(conversation) ? <Avatar publicKey={conversation} size={32} /> : <GroupPicture group={conversation} size={32} />;
}

interface ChatProps {
  readonly chat: ChatStorage;
  readonly name: string;
  readonly messenger: Messenger;
}

function Chat({ chat: { conversation, messages, files, fileBytes }, name, messenger }: ChatProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const size = formatBytes(t.locale, fileBytes);
  const remove = useMutation({
    mutationFn: async () => {
      const removed = await messenger.deleteFiles(conversation);
      await cache.invalidateQueries({ queryKey: KEY });
      return removed;
    },
    onSuccess: (removed) =>
      toasts.show({ title: t("storage.removed", { count: removed.files, size: formatBytes(t.locale, removed.bytes) }), tone: "success" }),
    onError: toasts.showError,
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <ListRow
        leading={<ChatPicture conversation={conversation} />}
        heading={name}
        subtitle={sumInWords(t, { messages, files, fileBytes })}
        trailing={
          files > 0 && (
            <Button size="small" onClick={(): void => setAsking(true)}>
              {t("storage.remove")} <VisuallyHidden>{name}</VisuallyHidden>
            </Button>
          )
        }
      />
      <ConfirmSheet
        open={isAsking}
        danger
        title={t("storage.removeTitle", { name })}
        sentence={t("storage.removeText", { files: t("storage.files", { count: files }), size })}
        confirmLabel={t("storage.remove")}
        busy={remove.isPending}
        onCancel={(): void => setAsking(false)}
        onConfirm={(): void => remove.mutate()}
      />
    </>
  );
}
