// The invite links of a group, for those who may make and withdraw them. Loaded with the first look at such a group.
import { Ellipsis, Link2, Link2Off, QrCode } from "lucide-react";
import { type ReactElement, useRef, useState } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { ListRow } from "#renderer/components/layout/list-row.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { ConfirmSheet } from "#renderer/components/overlays/confirm-sheet.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { Menu } from "#renderer/components/overlays/menu.tsx";
import type { MenuAction } from "#renderer/components/overlays/menu-list.tsx";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { formatDate } from "#renderer/lib/format/time.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { InviteLink } from "#shared/messenger/model/conversation.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { useNameOf } from "../../model/use-name-of.ts";
import { LinkView } from "./link-view.tsx";
import styles from "./links.module.css";
import { NewLinkDialog } from "./new-link-dialog.tsx";

/** How often it is looked whether a link is over. */
const RENEW_MS = 60_000;

export interface InviteLinksProps {
  readonly id: ConversationId;
  readonly links: readonly InviteLink[];
  readonly messenger: Messenger;
}

/** Links and what can be done with them. */
export function InviteLinks({ id, links, messenger }: InviteLinksProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const [isMaking, setMaking] = useState(false);
  const [shown, setShown] = useState<string>();
  const [leaving, setLeaving] = useState<InviteLink>();
  const copyButton = useRef<HTMLElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Section
        title={t("chat.links")}
        hint={t("chat.linksHint")}
        bare={links.length === 0}
        actions={
          <Button ref={add} size="small" icon={Link2} onClick={(): void => setMaking(true)}>
            {t("chat.linkAdd")}
          </Button>
        }
      >
        {links.length > 0 && (
          <ul className={styles.links} aria-label={t("chat.links")}>
            {links.map((link) => (
              <li key={link.key}>
                <LinkRow link={link} onShow={setShown} onWithdraw={(): void => setLeaving(link)} />
              </li>
            ))}
          </ul>
        )}
      </Section>
      {isMaking && <NewLinkDialog id={id} messenger={messenger} onClose={(): void => setMaking(false)} />}
      {shown !== undefined && (
        <Dialog
          open
          title={t("chat.link")}
          description={t("chat.linkNewText")}
          initialFocus={copyButton}
          onOpenChange={(): void => setShown(undefined)}
        >
          <LinkView text={shown} first={copyButton} />
        </Dialog>
      )}
      <ConfirmSheet
        open={leaving !== undefined}
        danger
        title={t("chat.linkWithdrawTitle")}
        sentence={t("chat.linkWithdrawText")}
        confirmLabel={t("chat.linkWithdraw")}
        onCancel={(): void => setLeaving(undefined)}
        onConfirm={(): void => {
          setLeaving(undefined);
          if (leaving !== undefined) messenger.withdrawLink(id, leaving.key).catch(toasts.showError);
          // The row with the button goes.
          requestAnimationFrame(() => add.current?.focus({ preventScroll: true }));
        }}
      />
    </>
  );
}

interface LinkRowProps {
  readonly link: InviteLink;
  readonly onShow: (text: string) => void;
  readonly onWithdraw: () => void;
}

function LinkRow({ link, onShow, onWithdraw }: LinkRowProps): ReactElement {
  const { by, until, uses, used, text } = link;
  const t = useMessages();
  const { locale } = useLanguage();
  const { masterPub } = useAccount();
  const nameOf = useNameOf([by]);
  const nowMs = useNow(RENEW_MS);
  const end = nowMs > until ? "chat.linkOver" : used >= uses ? "chat.linkUsedUp" : undefined;
  const show: MenuAction = { label: t("chat.linkShow"), icon: QrCode, onSelect: (): void => onShow(text ?? "") };
  const withdraw: MenuAction = { label: t("chat.linkWithdraw"), icon: Link2Off, danger: true, onSelect: onWithdraw };
  const date = formatDate(locale, until, nowMs);
  const heading = t("chat.linkUsed", { count: used, uses });
  return (
    <ListRow
      heading={heading}
      subtitle={by === masterPub ? t("chat.linkUntil", { date }) : t("chat.linkUntilBy", { date, name: nameOf(by) })}
      trailing={
        <>
          {end !== undefined && <Badge>{t(end)}</Badge>}
          <Menu
            align="end"
            trigger={<IconButton icon={Ellipsis} size="small" label={t("chat.groupMemberMenu", { name: heading })} />}
            groups={[[...(text === null ? [] : [show]), withdraw]]}
          />
        </>
      }
    />
  );
}
