// What a list of contacts shows, in order. Pure, so that the order is tested.
import { type ContactDirectory, type ContactEntry, entryOf } from "#renderer/lib/people/contacts/contact-directory.ts";
import type { ContactProgress } from "#renderer/lib/people/contacts/use-contact-progress.ts";
import type { GroupInvite } from "#renderer/lib/people/contacts/waiting-requests.ts";
import { isPartOfKey } from "#renderer/lib/people/is-part-of-key.ts";
import { sortByName } from "#renderer/lib/people/names/sort-by-name.ts";
import type { AskingMessage } from "#shared/messenger/model/conversation.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { ContactSection } from "./section-store.ts";

/** One row, or the heading of the rows after it. */
export type ContactListItem =
  | { readonly kind: "entry"; readonly entry: ContactEntry }
  /** An own request that the chain does not show yet, or refused. */
  | { readonly kind: "submitted"; readonly publicKey: PublicKeyHex; readonly progress: ContactProgress }
  /** Requests for money cannot be read: what else waits is shown all the same. */
  | { readonly kind: "failure" }
  /** A contact asks for money. */
  | { readonly kind: "ask"; readonly ask: AskingMessage }
  /** Someone who is no contact wrote: a request without a payment. */
  | { readonly kind: "writer"; readonly publicKey: PublicKeyHex }
  /** A group that a stranger took one into. */
  | { readonly kind: "invite"; readonly invite: GroupInvite }
  /** A device of which it is not known whose it is. */
  | { readonly kind: "unknown"; readonly id: ConversationId }
  /** An address with a private name that is no contact. */
  | { readonly kind: "named"; readonly publicKey: PublicKeyHex }
  | { readonly kind: "group"; readonly title: "declined" | "named" };

/** A row, without the heading. */
export type ContactRowItem = Exclude<ContactListItem, { readonly kind: "group" | "invite" | "unknown" | "ask" | "failure" }>;

/** What the lists are made of. */
export interface ListSources {
  readonly directory: ContactDirectory;
  readonly steps: readonly ContactProgress[];
  /** People of message requests, the latest first. */
  readonly writers: readonly PublicKeyHex[];
  /** Requests for money, in their order. */
  readonly asks?: readonly AskingMessage[];
  /** They cannot be read. */
  readonly hasNoAsks?: boolean;
  readonly invites?: readonly GroupInvite[];
  readonly unknown?: readonly ConversationId[];
  /** Addresses with private names. */
  readonly named: readonly PublicKeyHex[];
  readonly names: ReadonlyMap<PublicKeyHex, string>;
  readonly locale: string;
}

/** Rows of a list: people by name with the nameless ones last, requests for money, those by amount and then messages, sent ones newest first. */
export function listItems(section: ContactSection, sources: ListSources): readonly ContactListItem[] {
  const { directory } = sources;
  switch (section) {
    case "people":
      return [...entries(byName(directory.people, sources)), ...named(sources)];
    case "blocked":
      return entries(byName(directory.blocked, sources));
    case "sent":
      return [...submitted(sources), ...entries(directory.sent)];
    case "requests":
      return [
        ...(sources.hasNoAsks === true ? [{ kind: "failure" as const }] : []),
        ...(sources.asks ?? []).map((ask) => ({ kind: "ask" as const, ask })),
        ...entries(directory.requests),
        ...sources.writers.map((publicKey) => ({ kind: "writer" as const, publicKey })),
        ...(sources.invites ?? []).map((invite) => ({ kind: "invite" as const, invite })),
        ...(sources.unknown ?? []).map((id) => ({ kind: "unknown" as const, id })),
        ...(directory.declined.length === 0 ? [] : [{ kind: "group" as const, title: "declined" as const }]),
        ...entries(directory.declined),
      ];
  }
}

/** The rows whose person fits what is searched: by name or address. A heading stays while a row follows it. */
export function matchingItems(
  items: readonly ContactListItem[],
  names: ReadonlyMap<PublicKeyHex, string>,
  query: string,
): readonly ContactListItem[] {
  const needle = query.trim().toLowerCase();
  if (needle === "") return items;
  const fits = (item: ContactListItem): boolean => {
    if (item.kind === "group" || item.kind === "failure") return true;
    if (item.kind === "unknown") return false;
    if (item.kind === "invite") return item.invite.title.toLowerCase().includes(needle);
    const key = item.kind === "ask" ? item.ask.conversation : item.kind === "entry" ? item.entry.publicKey : item.publicKey;
    return (names.get(key) ?? "").toLowerCase().includes(needle) || isPartOfKey(needle, key);
  };
  const found = items.filter(fits);
  return found.filter((item, index) => item.kind !== "group" || index < found.length - 1);
}

/** Identity of a row. */
export function keyOfItem(item: ContactListItem): string {
  switch (item.kind) {
    case "entry":
      return item.entry.publicKey;
    case "ask":
      return item.ask.message.key;
    case "submitted":
      return item.progress.transaction.id;
    case "writer":
    case "named":
      return item.publicKey;
    case "invite":
      return item.invite.id;
    case "unknown":
      return item.id;
    case "group":
    case "failure":
      return item.kind;
  }
}

function entries(list: readonly ContactEntry[]): readonly ContactListItem[] {
  return list.map((entry) => ({ kind: "entry", entry }));
}

/** Below the people, under a heading: those whom another list shows already are not repeated. */
function named({ directory, names, locale, ...sources }: ListSources): readonly ContactListItem[] {
  const others = sources.named.filter((key) => entryOf(directory, key).relation === "none");
  if (others.length === 0) return [];
  const rows = sortByName(others, names, locale).map((publicKey) => ({ kind: "named" as const, publicKey }));
  return [{ kind: "group", title: "named" }, ...rows];
}

function byName(list: readonly ContactEntry[], { directory, names, locale }: ListSources): readonly ContactEntry[] {
  const keys = list.map(({ publicKey }) => publicKey);
  return sortByName(keys, names, locale).map((key) => entryOf(directory, key));
}

/** A request in a block is in the lists of the chain; one that did not take effect stays with its reason until another one is made. */
function submitted({ directory, steps }: ListSources): readonly ContactListItem[] {
  const seen = new Set<string>();
  return steps.flatMap((progress) => {
    const { summary, state } = progress.transaction;
    if (progress.step !== "requestContact" || summary.to === null || seen.has(summary.to)) return [];
    seen.add(summary.to);
    const isListed = directory.byKey.get(summary.to)?.sent !== undefined;
    return isListed || state.kind === "inBlock" ? [] : [{ kind: "submitted" as const, publicKey: summary.to, progress }];
  });
}
