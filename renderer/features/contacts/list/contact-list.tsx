// The left side: people, requests, sent requests and blocks, each as a list.

import type { UseQueryResult } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Ban, Inbox, type LucideIcon, Search, SearchX, Send, UserPlus, UsersRound } from "lucide-react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { PageHeader } from "#renderer/components/layout/page-header.tsx";
import { EmptyPane } from "#renderer/components/layout/panes.tsx";
import { useRowSize } from "#renderer/components/layout/row-size.ts";
import { VirtualList } from "#renderer/components/layout/virtual-list.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { amountText } from "#renderer/lib/format/amount.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { entryOf, isInPeople } from "#renderer/lib/people/contacts/contact-directory.ts";
import { namedKeys, usePeopleNotes } from "#renderer/lib/people/contacts/people-notes.ts";
import { type ContactDirectoryState, useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import { useContactSteps } from "#renderer/lib/people/contacts/use-contact-progress.ts";
import { useWaitingRequests } from "#renderer/lib/people/contacts/waiting-requests.ts";
import { useNames } from "#renderer/lib/people/names/use-names.ts";
import { MIN_CONTACT_FEE_UT } from "#shared/protocol/primitives/limits.ts";
import styles from "../contacts.module.css";
import { AskRow } from "./ask-row.tsx";
import { ContactRow } from "./contact-row.tsx";
import { type ContactListItem, keyOfItem, listItems, matchingItems } from "./list-items.ts";
import { InviteRow, RequestRow, UnknownRow } from "./request-row.tsx";
import { CONTACT_SECTIONS, type ContactSection, isAnswered, type RequestsState, showSection, useContactSection } from "./section-store.ts";
import { useOpenAsks } from "./use-open-asks.ts";

/** Fewer people are seen at a glance. */
const MIN_SEARCHED = 8;
const ICONS: Readonly<Record<ContactSection, LucideIcon>> = { people: UsersRound, requests: Inbox, sent: Send, blocked: Ban };

/** Header, choice of list, list. */
export function ContactList(): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const { section } = useContactSection();
  const contacts = useContactDirectory();
  const [query, setQuery] = useState("");
  const { directory } = contacts;
  const waiting = useWaitingRequests();
  useAnsweredRequests(contacts, waiting.count);
  return (
    <>
      <PageHeader
        level="pane"
        title={t("contacts.title")}
        actions={<IconButton icon={UserPlus} label={t("contacts.add")} onClick={(): void => void navigate({ to: "/contacts/new" })} />}
      />
      <div className={styles.sections}>
        <SegmentedControl
          label={t("common.show")}
          value={section}
          onChange={showSection}
          options={CONTACT_SECTIONS.map((value) => ({
            value,
            label: t(`contacts.${value}`),
            ...(value === "requests" && { count: waiting.count }),
          }))}
        />
      </div>
      {directory.byKey.size >= MIN_SEARCHED && (
        <div className={styles.search}>
          <TextField
            label={t("contacts.search")}
            hideLabel
            type="search"
            placeholder={t("contacts.search")}
            value={query}
            onChange={setQuery}
            spellCheck={false}
            affix={<Search size={15} aria-hidden="true" className={shared.searchIcon} />}
          />
        </div>
      )}
      {contacts.error !== null && contacts.isKnown && (
        <div className={styles.note}>
          <Banner>{t("contacts.asOfEarlier")}</Banner>
        </div>
      )}
      <div className={styles.list}>
        {contacts.isKnown ? (
          <SectionList key={section} section={section} query={query} />
        ) : contacts.error === null ? (
          <SkeletonRows />
        ) : (
          <ErrorState error={contacts.error} onRetry={contacts.retry} isRetrying={contacts.isRetrying} />
        )}
      </div>
    </>
  );
}

/** Leads from answered requests to the people. */
function useAnsweredRequests({ directory, isKnown }: ContactDirectoryState, waiting: number): void {
  const { section } = useContactSection();
  const { publicKey: shown } = useParams({ strict: false });
  const requests = waiting + directory.declined.length;
  const isContact = shown !== undefined && isInPeople(entryOf(directory, shown));
  const before = useRef<RequestsState>(undefined);
  useEffect(() => {
    if (!isKnown) return;
    const now = { requests, shown, isContact };
    if (section === "requests" && isAnswered(before.current, now)) showSection("people");
    before.current = now;
  }, [isKnown, section, requests, shown, isContact]);
}

function SectionList({ section, query }: { readonly section: ContactSection; readonly query: string }): ReactElement {
  const { t, locale } = useLanguage();
  const { publicKey } = useParams({ strict: false });
  const { directory } = useContactDirectory();
  const { writers, invites, unknown } = useWaitingRequests();
  const reading = useOpenAsks(section === "requests");
  const asks = reading.data;
  const names = useNames([...directory.byKey.keys(), ...writers]);
  const notes = usePeopleNotes((store) => store.notes);
  const steps = useContactSteps();
  const rowSize = useRowSize();
  const all = listItems(section, {
    directory,
    names,
    locale,
    steps,
    ...(asks && { asks }),
    hasNoAsks: asks === undefined && reading.error !== null,
    writers,
    invites,
    unknown,
    named: namedKeys(notes),
  });
  const items = matchingItems(all, names, query);
  if (asks === undefined && all.length === 0) return <QueryState query={reading} />;
  if (all.length === 0)
    return (
      <EmptyPane>
        <NothingHere section={section} />
      </EmptyPane>
    );
  if (items.length === 0)
    return (
      <EmptyPane>
        <EmptyState icon={SearchX} title={t("common.noMatches")} text={t("contacts.noMatchesText")} />
      </EmptyPane>
    );
  return (
    <VirtualList
      label={t(`contacts.${section}`)}
      items={items}
      keyOf={keyOfItem}
      estimateSize={rowSize.row}
      {...(publicKey !== undefined && { shown: publicKey })}
      renderItem={(item: ContactListItem): ReactElement =>
        item.kind === "failure" ? <Failure query={reading} /> : <Item item={item} section={section} />
      }
    />
  );
}

/** Requests for money cannot be read: a line above what else waits. */
function Failure({ query }: { readonly query: UseQueryResult }): ReactElement {
  const t = useMessages();
  const { title, text, canRetry } = errorInWords(t, query.error);
  const retry = canRetry && (
    <Button busy={query.isFetching} onClick={(): void => void query.refetch()}>
      {t("common.retry")}
    </Button>
  );
  return (
    <Banner tone="danger" title={title} {...(retry !== false && { actions: retry })}>
      {text}
    </Banner>
  );
}

function Item({
  item,
  section,
}: {
  readonly item: Exclude<ContactListItem, { readonly kind: "failure" }>;
  readonly section: ContactSection;
}): ReactElement {
  const t = useMessages();
  if (item.kind === "group") return <p className={styles.groupTitle}>{t(`contacts.${item.title}`)}</p>;
  if (item.kind === "ask") return <AskRow ask={item.ask} />;
  if (item.kind === "invite") return <InviteRow invite={item.invite} />;
  if (item.kind === "unknown") return <UnknownRow id={item.id} />;
  if (section === "requests") return <RequestRow item={item} />;
  return <ContactRow item={item} section={section} />;
}

const NOTHING = {
  people: { title: "contacts.noPeople", text: "contacts.noPeopleText" },
  requests: { title: "contacts.noRequests", text: "contacts.noRequestsText" },
  sent: { title: "contacts.noSent", text: "contacts.noSentText" },
  blocked: { title: "contacts.noBlocked", text: "contacts.noBlockedText" },
} as const;

function NothingHere({ section }: { readonly section: ContactSection }): ReactElement {
  const t = useMessages();
  const { title, text } = NOTHING[section];
  return (
    <EmptyState
      icon={ICONS[section]}
      title={t(title)}
      text={t(text, { amount: amountText(t, MIN_CONTACT_FEE_UT) })}
      actions={section === "people" && <ButtonLink to="/contacts/new">{t("contacts.add")}</ButtonLink>}
    />
  );
}
