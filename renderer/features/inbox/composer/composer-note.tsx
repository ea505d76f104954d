// The line above the text field: what is answered or changed, or what a command will do.

import { X } from "lucide-react";
import type { ReactElement } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { type ComposerMode, setComposerMode } from "../model/chat-intent-store.ts";
import type { ConversationHeader } from "../model/conversation-header.tsx";
import { previewOf } from "../model/message-text.ts";
import { useMemberNames } from "../model/use-name-of.ts";
import type { ChatCommand } from "../payments/chat-command.ts";
import styles from "./composer.module.css";

/** Id of what says which message is answered or changed. */
export const MODE_NOTE = "composer-mode";

export interface ComposerNoteProps {
  readonly id: ConversationId;
  readonly header: ConversationHeader;
  readonly mode: ComposerMode | undefined;
  readonly command: ChatCommand | undefined;
}

/** The line, or nothing. */
export function ComposerNote({ id, header, mode, command }: ComposerNoteProps): ReactElement | null {
  const t = useMessages();
  const nameOf = useMemberNames(header);
  if (command !== undefined) return <CommandNote header={header} command={command} />;
  if (mode === undefined) return null;
  const { kind, message } = mode;
  const name = message.author !== null ? nameOf(message.author) : message.direction === "out" ? t("common.you") : header.name;
  return (
    <div className={styles.mode}>
      <span className={styles.modeText} id={MODE_NOTE}>
        <strong>{kind === "edit" ? t("inbox.editing") : t("inbox.replyingTo", { name })}</strong>{" "}
        <bdi>{previewOf(t, message.body, nameOf)}</bdi>
      </span>
      <IconButton icon={X} size="small" label={t("common.cancel")} onClick={(): void => setComposerMode(id, undefined)} />
    </div>
  );
}

function CommandNote({ header, command }: { readonly header: ConversationHeader; readonly command: ChatCommand }): ReactElement {
  const t = useMessages();
  if (command.kind === "invalid") {
    return (
      <p className={styles.mode} role="status">
        {command.problem === "amount" ? t("inbox.commandAmount") : t("inbox.commandNote")}
      </p>
    );
  }
  const values = { amount: amountText(t, command.amountUt), name: header.name };
  return (
    <p className={styles.mode} role="status">
      {t(command.kind === "request" ? "inbox.commandRequest" : "inbox.commandPay", values)}
    </p>
  );
}
