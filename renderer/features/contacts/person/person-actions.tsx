// What one can do about a person: write, pay, and the rest in a menu.
import { useNavigate } from "@tanstack/react-router";
import { Ban, Coins, Copy, Ellipsis, Megaphone, MessageCircle, Search, UserMinus, UserPlus, UserRound } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Menu } from "#renderer/components/overlays/menu.tsx";
import type { MenuAction } from "#renderer/components/overlays/menu-list.tsx";
import { type ContactDecision, ContactDecisionSheet } from "#renderer/components/people/contact-decision-sheet.tsx";
import { copyText } from "#renderer/lib/browser/clipboard.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { hasOpenChat } from "#renderer/lib/messenger/has-open-chat.ts";
import { useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import type { ContactEntry } from "#renderer/lib/people/contacts/contact-directory.ts";
import { changeNotes } from "#renderer/lib/people/contacts/people-notes.ts";
import { useContactProgress } from "#renderer/lib/people/contacts/use-contact-progress.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { usePersonActions } from "#renderer/lib/people/people-context.tsx";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import styles from "../person.module.css";

export interface PersonActionsProps {
  readonly entry: ContactEntry;
  readonly isSelf: boolean;
  /** False while the contact lists are unread. */
  readonly isKnown: boolean;
}

/** Buttons and menu. */
export function PersonActions({ entry, isSelf, isKnown }: PersonActionsProps): ReactElement {
  const { publicKey, relation, isAdded } = entry;
  const t = useMessages();
  const navigate = useNavigate();
  const toasts = useToasts();
  const [decision, setDecision] = useState<ContactDecision>();
  const isUnderWay = useContactProgress(publicKey)?.transaction.state.kind === "submitted";
  const name = useLabelOf(publicKey);
  const isOpen = isKnown && !isSelf && !isUnderWay;
  const remove = (): void => {
    void changeNotes(publicKey, { isContact: false });
    toasts.show({
      title: t("contacts.removed", { name }),
      action: { label: t("common.undo"), onSelect: () => void changeNotes(publicKey, { isContact: true }) },
    });
  };
  const added: readonly MenuAction[] = [
    ...(isOpen && relation === "added"
      ? [
          {
            label: t("contacts.askPublicly"),
            icon: Megaphone,
            onSelect: (): void => void navigate({ to: "/contacts/new", search: { to: publicKey } }),
          },
        ]
      : []),
    ...(isAdded && relation !== "contact" && !isSelf ? [{ label: t("contacts.remove"), icon: UserMinus, onSelect: remove }] : []),
  ];
  const copy = async (): Promise<void> => {
    if (await copyText(formatAddress(publicKey))) toasts.show({ title: t("common.addressCopied"), tone: "success" });
  };
  const general: readonly MenuAction[] = [
    { label: t("common.copyAddress"), icon: Copy, onSelect: (): void => void copy() },
    {
      label: t("common.openInExplorer"),
      icon: Search,
      onSelect: (): void => void navigate({ to: "/explorer/address/$account", params: { account: publicKey } }),
    },
  ];
  const block: readonly MenuAction[] =
    isSelf || !isKnown || relation === "blocked"
      ? []
      : [{ label: t("contacts.block"), icon: Ban, danger: true, onSelect: (): void => setDecision("block") }];
  return (
    <>
      {isOpen && relation === "none" && (
        <ButtonLink to="/contacts/new" search={{ to: publicKey }} icon={UserPlus} variant="primary">
          {t("contacts.add")}
        </ButtonLink>
      )}
      {isSelf && (
        <ButtonLink to="/settings/$section" params={{ section: "profile" }} icon={UserRound}>
          <span className={styles.actionLabel}>{t("settings.editProfile")}</span>
        </ButtonLink>
      )}
      {relation === "blocked" ? (
        <Button disabled={isUnderWay} onClick={(): void => setDecision("unblock")}>
          {t("contacts.unblock")}
        </Button>
      ) : (
        <ButtonLink to="/inbox/$conversation" params={{ conversation: publicKey }} icon={MessageCircle}>
          <span className={styles.actionLabel}>{t("common.message")}</span>
        </ButtonLink>
      )}
      {!isSelf && <PayAction publicKey={publicKey} />}
      <Menu align="end" trigger={<IconButton icon={Ellipsis} label={t("common.more")} />} groups={[general, added, block]} />
      {decision !== undefined && (
        <ContactDecisionSheet decision={decision} publicKey={publicKey} onClose={(): void => setDecision(undefined)} />
      )}
    </>
  );
}

/** In the chat where there is one, whose card says what was paid; else by the form of the wallet. */
function PayAction({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const { payInChat } = usePersonActions();
  const hasChat = hasOpenChat(useMessengerSnapshot(), publicKey);
  const label = <span className={styles.actionLabel}>{t("common.pay")}</span>;
  if (hasChat && payInChat !== undefined)
    return (
      <Button icon={Coins} onClick={(): void => payInChat(publicKey)}>
        {label}
      </Button>
    );
  return (
    <ButtonLink to="/wallet/send" search={{ to: publicKey }} icon={Coins}>
      {label}
    </ButtonLink>
  );
}
