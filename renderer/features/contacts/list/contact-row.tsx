// A row in a list of contacts. It leads to the person, or to what a stranger wrote.
import { BadgeCheck } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { Badge, type BadgeTone } from "#renderer/components/basics/badge.tsx";
import { Time } from "#renderer/components/basics/time.tsx";
import { ListRowLink } from "#renderer/components/layout/list-row.tsx";
import { useRowSize } from "#renderer/components/layout/row-size.ts";
import { WholeLabel } from "#renderer/components/people/names/whole-label.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { shorten } from "#renderer/lib/format/key.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { ContactEntry } from "#renderer/lib/people/contacts/contact-directory.ts";
import { labelOf } from "#renderer/lib/people/names/use-label.ts";
import { usePerson } from "#renderer/lib/people/people-context.tsx";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import type { ContactRowItem } from "./list-items.ts";
import type { ContactSection } from "./section-store.ts";

/** Side of a face beside two lines, pixels. */
const FACE_PX = 36;

interface RowEnd {
  readonly subtitle?: ReactNode;
  readonly meta?: ReactNode;
  readonly trailing?: ReactNode;
}

/** One person in one list. */
export function ContactRow(props: { readonly item: ContactRowItem; readonly section: ContactSection }): ReactElement {
  const { item, section } = props;
  const t = useMessages();
  const size = useRowSize(FACE_PX);
  // Whoever asks is named with the whole end of their address, in as many lines as that needs.
  const isSlim = section !== "requests";
  const publicKey = item.kind === "entry" ? item.entry.publicKey : item.publicKey;
  const person = usePerson(publicKey);
  const address = shorten(formatAddress(publicKey));
  const end = item.kind === "entry" || item.kind === "submitted" ? rowEnd(item, section) : {};
  const written = item.kind === "writer" ? t("contacts.wrote") : undefined;
  return (
    <ListRowLink
      isSlim={isSlim}
      {...(item.kind === "writer"
        ? ({ to: "/inbox/$conversation", params: { conversation: publicKey } } as const)
        : ({ to: "/contacts/$publicKey", params: { publicKey } } as const))}
      leading={<Avatar publicKey={publicKey} size={isSlim ? size.face : FACE_PX} />}
      heading={
        <>
          {isSlim ? labelOf(person, publicKey) : <WholeLabel publicKey={publicKey} />}
          {person.isVerified && <BadgeCheck size={14} className={shared.verified} role="img" aria-label={t("common.verified")} />}
        </>
      }
      isWhole={!isSlim}
      subtitle={written ?? end.subtitle ?? (person.name === undefined ? t("contacts.noName") : address)}
      meta={end.meta}
      trailing={end.trailing}
    />
  );
}

function rowEnd(item: Extract<ContactRowItem, { readonly kind: "entry" | "submitted" }>, section: ContactSection): RowEnd {
  if (item.kind === "submitted") {
    const { transaction } = item.progress;
    return { meta: <Time at={transaction.submittedAtMs} />, trailing: <SubmittedBadge state={transaction.state.kind} /> };
  }
  const { received, sent } = item.entry;
  if (section === "requests" && received !== undefined) return requestEnd(received);
  if (section === "sent" && sent !== undefined) {
    return { meta: <Time at={sent.created_at * 1000} />, trailing: <AnswerBadge status={sent.status} /> };
  }
  return {};
}

function requestEnd(received: NonNullable<ContactEntry["received"]>): RowEnd {
  const intro = received.intro ?? "";
  return {
    ...(intro !== "" && { subtitle: <bdi>{intro}</bdi> }),
    meta: <Time at={received.created_at * 1000} />,
    trailing: <Amount amountUt={received.fee_ut} direction="in" />,
  };
}

function SubmittedBadge(props: { readonly state: "submitted" | "inBlock" | "failed" | "expired" }): ReactElement {
  const t = useMessages();
  const isOver = props.state === "failed" || props.state === "expired";
  return <Badge tone={isOver ? "danger" : "warning"}>{t(`contacts.status.${isOver ? props.state : "submitted"}`)}</Badge>;
}

const ANSWERS: Readonly<Record<string, BadgeTone>> = { accepted: "success", blocked: "danger" };

/** Their answer to one's own request. */
export function AnswerBadge(props: { readonly status: string }): ReactElement {
  const t = useMessages();
  const tone = ANSWERS[props.status] ?? "neutral";
  const status = props.status === "accepted" || props.status === "blocked" ? props.status : "pending";
  return <Badge tone={tone}>{t(`contacts.status.${status}`)}</Badge>;
}
