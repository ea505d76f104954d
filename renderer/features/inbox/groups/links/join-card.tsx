// What an invite link holds, and what has become of asking by it.
import { useNavigate } from "@tanstack/react-router";
import { Users } from "lucide-react";
import { type ReactElement, type ReactNode, useRef } from "react";
import { RichText, slot } from "#renderer/components/basics/rich-text.tsx";
import { Time } from "#renderer/components/basics/time.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { PictureSymbol } from "#renderer/components/people/group-picture.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { type AskedLinkView, viewOfAsked } from "#shared/messenger/model/asked-links.ts";
import { groupConversation } from "#shared/messenger/model/conversation-id.ts";
import { type GroupLink, linkKey } from "#shared/protocol/groups/group-link.ts";
import { refusalInWords } from "./asked-words.ts";
import styles from "./links.module.css";

/** How often it is looked whether the time of asking is over. */
const RENEW_MS = 60_000;
const PICTURE_PIXELS = 48;

export interface JoinCardProps {
  readonly text: string;
  readonly link: GroupLink;
  readonly chainId: string;
}

type Standing = "in" | "out" | AskedLinkView;

/** The dialog, open while it is shown. */
export function JoinCard({ text, link, chainId }: JoinCardProps): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const messenger = useMessenger();
  const first = useRef<HTMLElement>(null);
  const standing = useStanding(link, chainId);
  return (
    <Dialog
      open
      title={t("inbox.join")}
      initialFocus={first}
      onOpenChange={(): void => void navigate({ to: "/inbox" })}
      footer={messenger !== undefined && <Actions text={text} link={link} standing={standing} messenger={messenger} first={first} />}
    >
      <div className={shared.stack4}>
        <div className={styles.head}>
          <PictureSymbol icon={Users} size={PICTURE_PIXELS} />
          <div className={shared.grow}>
            <bdi className={styles.name}>{link.name}</bdi>
            <p className={shared.hint}>{t("chat.joinClaims")}</p>
          </div>
        </div>
        <Section title={t("chat.joinLetIn")} bare>
          <div className={shared.buttons}>
            {link.admins.map((admin) => (
              <AddressChip key={admin} publicKey={admin} />
            ))}
          </div>
        </Section>
        <StandingNote standing={standing} />
        {standing === "out" && (
          <ul className={styles.facts}>
            <li>{t("chat.joinFactMembers")}</li>
            <li>{t("chat.joinFactMessages")}</li>
            <li>{t("chat.joinFactSent")}</li>
          </ul>
        )}
      </div>
    </Dialog>
  );
}

/** Whether one is in the group, or has asked by this very link. */
function useStanding(link: GroupLink, chainId: string): Standing {
  const nowMs = useNow(RENEW_MS);
  const asked = useMessengerValue(({ askedLinks }) => askedLinks.find(({ group }) => group === link.group));
  // What strangers call by this id, unasked, need not be the group of the link.
  const isMember = useMessengerValue(({ conversations }) =>
    conversations.some(({ id, group, isRequest }) => id === groupConversation(link.group) && group?.isMember === true && !isRequest),
  );
  if (isMember) return "in";
  return asked === undefined || asked.key !== linkKey(link, chainId) ? "out" : viewOfAsked(asked, nowMs);
}

function StandingNote({ standing }: { readonly standing: Standing }): ReactNode {
  const t = useMessages();
  if (standing === "out") return null;
  if (standing === "in") return <Banner tone="success">{t("chat.joinMember")}</Banner>;
  const { state, refusal, askedAt } = standing;
  if (state === "asking")
    return (
      <Banner tone="neutral">
        <RichText text={t("chat.joinAsking", { time: slot("time") })} parts={{ time: <Time at={askedAt} /> }} />
      </Banner>
    );
  return <Banner tone="warning">{refusal === null ? t("chat.joinSilent") : refusalInWords(t, refusal)}</Banner>;
}

interface ActionsProps extends Pick<JoinCardProps, "text" | "link"> {
  readonly standing: Standing;
  readonly messenger: Messenger;
  readonly first: { current: HTMLElement | null };
}

/** The button of the next step keeps its place, and the focus, as the standing changes: pressed twice it asks once. */
function Actions({ text, link, standing, messenger, first }: ActionsProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const navigate = useNavigate();
  const ask = (): void => void messenger.askToJoin(text).catch(toasts.showError);
  const stop = (): void => {
    // The button that was pressed goes.
    first.current?.focus();
    messenger.endAsking(link.group).catch(toasts.showError);
  };
  const open = (): void =>
    void navigate({ to: "/inbox/$conversation", params: { conversation: groupConversation(link.group) }, replace: true });
  const isAsking = typeof standing === "object" && standing.state === "asking";
  const [label, act] =
    standing === "in"
      ? (["chat.joinOpen", open] as const)
      : ([standing === "out" || isAsking ? "chat.joinAsk" : "chat.joinAgain", ask] as const);
  return (
    <>
      {isAsking && (
        <Button variant="ghost" onClick={stop}>
          {t("chat.joinStop")}
        </Button>
      )}
      <Button ref={first} variant="primary" disabled={isAsking} onClick={act}>
        {t(label)}
      </Button>
    </>
  );
}
