// How far a message of one's own is with each member of its group.
import type { ReactElement } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { ListRow } from "#renderer/components/layout/list-row.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { MemberDelivery } from "#shared/messenger/model/message.ts";
import styles from "../../chat/chat-info.module.css";
import { stateInWords } from "../../model/message-text.ts";
import { useNameOf } from "../../model/use-name-of.ts";

export interface DeliveriesDialogProps {
  readonly deliveries: readonly MemberDelivery[];
  readonly onClose: () => void;
}

export function DeliveriesDialog({ deliveries, onClose }: DeliveriesDialogProps): ReactElement {
  const t = useMessages();
  const nameOf = useNameOf(deliveries.map(({ person }) => person));
  return (
    <Dialog open title={t("inbox.deliveries")} onOpenChange={onClose}>
      <ul className={styles.members} aria-label={t("inbox.deliveries")}>
        {deliveries.map(({ person, state }) => (
          <li key={person}>
            <ListRow leading={<Avatar publicKey={person} size={32} />} heading={nameOf(person)} meta={stateInWords(t, state)} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
