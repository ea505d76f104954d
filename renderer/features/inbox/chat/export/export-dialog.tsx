// Saving a chat as a file that is read without Parley.
import { useMutation } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Checkbox } from "#renderer/components/controls/checkbox.tsx";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { saveBytes } from "#renderer/lib/browser/save-file.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import type { ConversationHeader } from "../../model/conversation-header.tsx";
import { useMemberNames } from "../../model/use-name-of.ts";
import { chatAsHtml, chatAsJson } from "./chat-document.ts";
import { collectChat } from "./collect-chat.ts";

export interface ExportDialogProps {
  readonly id: ConversationId;
  readonly header: ConversationHeader;
  readonly messenger: Messenger;
  readonly onClose: () => void;
}

export function ExportDialog({ id, header, messenger, onClose }: ExportDialogProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const { masterPub } = useAccount();
  const memberName = useMemberNames(header);
  const [format, setFormat] = useState<"html" | "json">("html");
  const [withFiles, setWithFiles] = useState(false);
  const peer = header.kind === "person" || header.kind === "self" ? header.peer : null;
  const nameOf = (person: string): string => (person === peer && header.kind === "person" ? header.name : memberName(person));
  const save = useMutation({
    mutationFn: async () => {
      const chat = await collectChat(messenger, { id, title: header.name, me: masterPub, peer, withFiles, nameOf, t });
      const parts = format === "html" ? chatAsHtml(chat) : chatAsJson(chat);
      return new Blob([...parts]);
    },
    onSuccess: (file) => {
      saveBytes(`parley-chat-${new Date().toISOString().slice(0, 10)}.${format}`, file);
      toasts.show({ title: t("chat.exported"), tone: "success" });
      onClose();
    },
    onError: toasts.showError,
  });
  return (
    <Dialog
      open
      keepOpen
      title={t("chat.export")}
      description={t("chat.exportText")}
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button variant="primary" busy={save.isPending} onClick={(): void => save.mutate()}>
            {t("common.save")}
          </Button>
        </>
      }
    >
      <div className={shared.stack4}>
        <SegmentedControl
          label={t("chat.exportFormat")}
          value={format}
          onChange={setFormat}
          options={[
            { value: "html", label: t("chat.exportHtml") },
            { value: "json", label: "JSON" },
          ]}
        />
        <Checkbox label={t("chat.withFiles")} hint={t("chat.exportFilesHint")} checked={withFiles} onChange={setWithFiles} />
      </div>
    </Dialog>
  );
}
