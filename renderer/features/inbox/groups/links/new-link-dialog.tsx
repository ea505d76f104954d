// Makes an invite link: for how many people, and for how long; then shows it.
import { type ReactElement, type ReactNode, useRef, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { LinkView } from "./link-view.tsx";
import styles from "./links.module.css";

const PEOPLE = ["1", "10", "99"] as const;
const DAYS = ["1", "7", "30"] as const;
const DAY_MS = 86_400_000;

export interface NewLinkDialogProps {
  readonly id: ConversationId;
  readonly messenger: Pick<Messenger, "makeLink">;
  readonly onClose: () => void;
}

/** The dialog, open while it is shown. */
export function NewLinkDialog({ id, messenger, onClose }: NewLinkDialogProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const [people, setPeople] = useState<(typeof PEOPLE)[number]>("10");
  const [days, setDays] = useState<(typeof DAYS)[number]>("7");
  const [isMaking, setMaking] = useState(false);
  const [text, setText] = useState<string>();
  const first = useRef<HTMLElement>(null);
  const make = (): void => {
    setMaking(true);
    messenger
      .makeLink(id, { uses: Number(people), until: Date.now() + Number(days) * DAY_MS })
      .then((made) => {
        setText(made);
        // The button that had the focus is gone.
        requestAnimationFrame(() => first.current?.focus({ preventScroll: true }));
      }, toasts.showError)
      .finally(() => setMaking(false));
  };
  return (
    <Dialog
      open
      keepOpen
      title={t(text === undefined ? "chat.linkNew" : "chat.link")}
      description={t("chat.linkNewText")}
      onOpenChange={(isOpen): void => {
        if (!isOpen) onClose();
      }}
      footer={
        text === undefined && (
          <Button variant="primary" busy={isMaking} onClick={make}>
            {t("chat.linkMake")}
          </Button>
        )
      }
    >
      {text === undefined ? (
        <div className={shared.stack4}>
          <Choice title={t("chat.linkPeople")}>
            <SegmentedControl
              label={t("chat.linkPeople")}
              options={PEOPLE.map((value) => ({ value, label: t("chat.linkPeopleCount", { count: Number(value) }) }))}
              value={people}
              onChange={setPeople}
            />
          </Choice>
          <Choice title={t("chat.linkDays")}>
            <SegmentedControl
              label={t("chat.linkDays")}
              options={DAYS.map((value) => ({ value, label: t("common.time.days", { count: Number(value) }) }))}
              value={days}
              onChange={setDays}
            />
          </Choice>
        </div>
      ) : (
        <LinkView text={text} first={first} />
      )}
    </Dialog>
  );
}

function Choice({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className={styles.choice}>
      <span className={styles.label} aria-hidden="true">
        {title}
      </span>
      {children}
    </div>
  );
}
