// A mark beside the name in a chat: a device of someone in it has no key that goes after a while. What that means is said in a window.
import { ShieldAlert } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { useAllWords, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { ConversationHeader } from "../../model/conversation-header.tsx";
import { useMemberNames } from "../../model/use-name-of.ts";
import styles from "./chat-notice.module.css";

/** Nothing where all devices of the people in the chat have one, or nothing was sealed to them yet. */
export function TheftMark({ header }: { readonly header: ConversationHeader }): ReactElement | null {
  const t = useMessages();
  const hasWords = useAllWords();
  const nameOf = useMemberNames(header);
  const [isOpen, setOpen] = useState(false);
  const open = useMessengerValue(({ openToTheft }) => openToTheft);
  const people = open.filter((person) => membersOf(header).includes(person));
  if (people.length === 0 || !hasWords) return null;
  const names = header.kind === "group" ? people.map(nameOf).join(", ") : header.name;
  return (
    <span className={styles.theft}>
      <IconButton size="small" icon={ShieldAlert} label={t("contacts.openToTheft")} onClick={(): void => setOpen(true)} />
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={t("contacts.openToTheft")}
        description={names}
        footer={
          <Button variant="primary" onClick={(): void => setOpen(false)}>
            {t("common.close")}
          </Button>
        }
      >
        <p>{t("contacts.openToTheftText")}</p>
      </Dialog>
    </span>
  );
}

function membersOf(header: ConversationHeader): readonly PublicKeyHex[] {
  if (header.kind === "person") return [header.peer];
  return header.kind === "group" ? (header.group?.members ?? []) : [];
}
