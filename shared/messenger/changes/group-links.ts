// What the record of a group knows of its invite links: those of its log, and the secrets of own ones. Pure.
import type { GroupLog } from "#shared/protocol/groups/group-log.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { GroupRecord, InviteLinkRecord } from "../model/group-state.ts";

/** Texts of links that are stored of one group, the newest. */
export const MAX_LINK_TEXTS = 8;

type LinkFields = Pick<GroupRecord, "links" | "linkTexts" | "waiting" | "refused">;

/** What the record of a group says of links with a log: a secret goes with its link, and a request with its answer. */
export function linkFieldsOf(log: GroupLog, known: LinkFields | undefined): LinkFields {
  const links = linksIn(log, known);
  const waiting = known?.waiting?.filter(({ person }) => log.fold.group.people[person]?.status !== "in") ?? [];
  const isOf = (some: readonly InviteLinkRecord[], key: PublicKeyHex): boolean => some.some((link) => link.key === key);
  // Of a link that was there, and is not, a base may have replaced what ended it.
  const isKept = ([key]: readonly [PublicKeyHex, string]): boolean =>
    isOf(links, key) || !(knows(log, key) || isOf(known?.links ?? [], key));
  const texts = Object.entries(known?.linkTexts ?? {}).filter(isKept);
  return {
    ...(links.length > 0 && { links }),
    ...(texts.length > 0 && { linkTexts: Object.fromEntries(texts) }),
    ...(waiting.length > 0 && { waiting }),
    ...(known?.refused !== undefined && { refused: known.refused }),
  };
}

/** A group with texts of own links; those of which its log says that they have ended are left out. */
export function withLinkTexts<Group extends LinkFields>(group: Group, log: GroupLog, texts: Readonly<Record<PublicKeyHex, string>>): Group {
  const added = Object.entries(texts).filter(([key]) => group.links?.some((link) => link.key === key) === true || !knows(log, key));
  if (added.length === 0) return group;
  const others = Object.entries(group.linkTexts ?? {}).filter(([key]) => !added.some(([other]) => other === key));
  return { ...group, linkTexts: Object.fromEntries([...others, ...added].slice(-MAX_LINK_TEXTS)) };
}

function linksIn(log: GroupLog, known: LinkFields | undefined): readonly InviteLinkRecord[] {
  return log.fold.group.links.map(({ key, maker: by, until, uses, used, hash }) => {
    const made = log.entries.find((entry) => entry.hash === hash)?.entry.change;
    const at = made?.op === "invite" ? made.at : (known?.links?.find((link) => link.key === key)?.at ?? null);
    return { key, by, at, until, uses, used };
  });
}

/** The log has an entry that made a link, whether it holds or not. */
function knows({ entries }: GroupLog, key: PublicKeyHex): boolean {
  return entries.some(({ entry: { change } }) => change.op === "invite" && change.key === key);
}
