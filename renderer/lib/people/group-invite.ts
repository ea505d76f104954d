// Invite links of groups as texts that one pastes or opens. What they hold is only read where they are shown.

/** As they are passed on, or as the interface of a node has them. */
const INVITE = /^(?:parley:(?:\/\/)?group\/?|https?:\/\/[^\s#?]+\/inbox\/join\/?)#([A-Za-z0-9_-]{1,512})$/i;

/** The same within other words. */
const INVITES = /(?:parley:(?:\/\/)?group\/?|https?:\/\/[^\s#?]{1,255}\/inbox\/join\/?)#[A-Za-z0-9_-]+/gi;

/** What is behind the `#` of an invite link of a group, valid or not; undefined for other texts. */
export function dataOfInvite(text: string): string | undefined {
  return INVITE.exec(text.trim())?.[1];
}

/** A text with these words in place of invite links: lists and notices, which others may see, show no secret. */
export function withoutInvites(text: string, words: string): string {
  return text.replace(INVITES, () => words);
}

/** The link with what is behind its `#`. */
export function inviteWith(data: string): string {
  return `parley:group#${data}`;
}
