// A mark beside the name in a chat that concerns some of the people in it. What it means is said in a window.
import type { LucideIcon } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { useAllWords, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { ConversationHeader } from "../../model/conversation-header.tsx";
import { useMemberNames } from "../../model/use-name-of.ts";
import styles from "./chat-notice.module.css";

interface PeopleMarkProps {
  readonly header: ConversationHeader;
  /** Whom it concerns, whether or not they are in the chat. */
  readonly people: readonly PublicKeyHex[];
  readonly icon: LucideIcon;
  /** Of the mark and of its window. */
  readonly name: "contacts.openToTheft" | "contacts.uncheckedDevices";
  readonly text: "contacts.openToTheftText" | "contacts.uncheckedDevicesText";
}

/** Nothing where it concerns no one in the chat. */
export function PeopleMark({ header, people, icon, name, text }: PeopleMarkProps): ReactElement | null {
  const t = useMessages();
  const hasWords = useAllWords();
  const nameOf = useMemberNames(header);
  const [isOpen, setOpen] = useState(false);
  const concerned = people.filter((person) => membersOf(header).includes(person));
  if (concerned.length === 0 || !hasWords) return null;
  const names = header.kind === "group" ? concerned.map(nameOf).join(", ") : header.name;
  return (
    <span className={styles.theft}>
      <IconButton size="small" icon={icon} label={t(name)} onClick={(): void => setOpen(true)} />
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={t(name)}
        description={names}
        footer={
          <Button variant="primary" onClick={(): void => setOpen(false)}>
            {t("common.close")}
          </Button>
        }
      >
        <p>{t(text)}</p>
      </Dialog>
    </span>
  );
}

function membersOf(header: ConversationHeader): readonly PublicKeyHex[] {
  if (header.kind === "person") return [header.peer];
  return header.kind === "group" ? (header.group?.members ?? []) : [];
}
