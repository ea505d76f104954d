// Makes an invite link: for how many people, and for how long; then shows it.
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { useNameOf } from "../../model/use-name-of.ts";
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
  const [older, setOlder] = useState<PublicKeyHex>();
  const first = useRef<HTMLElement>(null);
  useEffect(() => {
    // The button that had the focus is gone.
    if (text !== undefined) first.current?.focus({ preventScroll: true });
  }, [text]);
  const make = (): void => {
    setMaking(true);
    messenger
      .makeLink(id, { uses: Number(people), until: Date.now() + Number(days) * DAY_MS })
      .then(
        (made) => {
          setText(made);
        },
        (error: unknown) => {
          const person = personWithOlderProgram(error);
          setOlder(person);
          if (person === undefined) toasts.showError(error);
        },
      )
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
        text === undefined ? (
          <Button variant="primary" busy={isMaking} onClick={make}>
            {t("chat.linkMake")}
          </Button>
        ) : undefined
      }
    >
      {text === undefined ? (
        <div className={shared.stack4}>
          {older !== undefined && <OlderProgram person={older} />}
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

/** Why no link can be made yet. */
function OlderProgram({ person }: { readonly person: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const nameOf = useNameOf([person]);
  return <Banner tone="warning">{t("chat.linkOlder", { name: nameOf(person) })}</Banner>;
}

/** The member with a device that knows no links, where that is why none was made. */
function personWithOlderProgram(error: unknown): PublicKeyHex | undefined {
  if (!isCodedError(error, "BAD_REQUEST") || error.details.field !== "programs") return undefined;
  return typeof error.details.person === "string" ? error.details.person : undefined;
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
