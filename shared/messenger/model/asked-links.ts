// Invite links by which this person has asked to be let into groups: what is remembered of each, when a request is repeated, and how they
// read. Pure.
import type { GroupId, RefusalReason } from "#shared/content/group-content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Most links that are remembered, those that are over among them. */
export const MAX_ASKED_LINKS = 16;
/** A request is repeated for this time after the person asked. */
export const ASKING_MS = 604_800_000;

/** Times from one request to the next; the last of them from then on. */
const PAUSES_MS = [600_000, 3_600_000, 21_600_000] as const;

/** A link by which this person has asked. */
export interface AskedLink {
  readonly group: GroupId;
  /** Public key of the link. */
  readonly key: PublicKeyHex;
  /** Secret of the link, hex; "" on a device that does not ask itself, and once the asking is over. */
  readonly secret: string;
  /** The name of the group, as the link claims; "" where another own device has asked. */
  readonly name: string;
  /** Who was asked. */
  readonly admins: readonly PublicKeyHex[];
  /** When the person asked, and when the request was sent last, milliseconds since 1970. */
  readonly askedAt: number;
  readonly sentAt: number;
  /** How often it was sent. */
  readonly times: number;
  readonly refusal?: RefusalReason;
}

/** A link as it is shown. `silent`: no one has answered, and no one is asked any more. */
export interface AskedLinkView extends Pick<AskedLink, "group" | "key" | "name" | "admins" | "askedAt"> {
  readonly state: "asking" | "refused" | "silent";
  /** Where it was refused. */
  readonly refusal: RefusalReason | null;
}

/** How a link reads at a time. */
export function viewOfAsked({ secret: _, sentAt: _sentAt, times: _times, refusal, ...link }: AskedLink, nowMs: number): AskedLinkView {
  const isOver = nowMs - link.askedAt >= ASKING_MS;
  return { ...link, state: refusal !== undefined ? "refused" : isOver ? "silent" : "asking", refusal: refusal ?? null };
}

/** True while answers are waited for. */
export function isAsking(link: AskedLink, nowMs: number): boolean {
  return viewOfAsked(link, nowMs).state === "asking";
}

/** When the request of a link is to be sent next, milliseconds since 1970; undefined for never. A clock that was set back sends it at once. */
export function nextRequestAt({ secret, refusal, askedAt, sentAt, times }: AskedLink, nowMs: number): number | undefined {
  if (secret === "" || refusal !== undefined || nowMs - askedAt >= ASKING_MS) return undefined;
  if (times === 0 || sentAt > nowMs) return nowMs;
  return sentAt + (PAUSES_MS[Math.min(times, PAUSES_MS.length) - 1] ?? 0);
}

/** With the request of a link sent once more. */
export function withRequestSent(links: readonly AskedLink[], group: GroupId, nowMs: number): readonly AskedLink[] {
  return links.map((link) => (link.group === group ? { ...link, sentAt: nowMs, times: link.times + 1 } : link));
}

/**
 * With another link, in place of an earlier one of its group; those that are over make room, the oldest of them first. Undefined where
 * there is none.
 */
export function withAsked(links: readonly AskedLink[], asked: AskedLink, nowMs: number): readonly AskedLink[] | undefined {
  const others = links.filter(({ group }) => group !== asked.group);
  if (others.length < MAX_ASKED_LINKS) return [...others, asked];
  const over = others.filter((link) => !isAsking(link, nowMs)).sort((a, b) => a.askedAt - b.askedAt)[0];
  return over === undefined ? undefined : [...others.filter((link) => link !== over), asked];
}

/** Without a link. */
export function withoutAsked(links: readonly AskedLink[], group: GroupId): readonly AskedLink[] {
  return links.some((link) => link.group === group) ? links.filter((link) => link.group !== group) : links;
}

/**
 * With what one of those who were asked has answered: no one is asked any more, and the secret is forgotten. The same links where that is
 * not about a link by which is asked.
 */
export function withRefusal(
  links: readonly AskedLink[],
  {
    group,
    key,
    from,
    reason,
  }: { readonly group: GroupId; readonly key: PublicKeyHex; readonly from: PublicKeyHex; readonly reason: RefusalReason },
): readonly AskedLink[] {
  const isMeant = (link: AskedLink): boolean => link.group === group && link.key === key && link.admins.includes(from);
  return links.some((link) => isMeant(link) && link.refusal === undefined)
    ? links.map((link) => (isMeant(link) ? { ...link, secret: "", refusal: reason } : link))
    : links;
}

/** Links without the secrets of those that are over by the clock. The same where there is none. */
export function withoutOldSecrets(links: readonly AskedLink[], nowMs: number): readonly AskedLink[] {
  const isOld = (link: AskedLink): boolean => link.secret !== "" && !isAsking(link, nowMs);
  return links.some(isOld) ? links.map((link) => (isOld(link) ? { ...link, secret: "" } : link)) : links;
}

/** Links here with those of a backup or of another own device, as far as there is room: what is known here stays. */
export function joinAsked(links: readonly AskedLink[], others: readonly AskedLink[], nowMs: number): readonly AskedLink[] {
  return others.reduce((joined, other) => {
    const isKnown = joined.some(({ group }) => group === other.group);
    return isKnown ? joined : (withAsked(joined, other, nowMs) ?? joined);
  }, links);
}
