// Why a link lets no one in, in words.
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import type { AskedLinkView } from "#shared/messenger/model/asked-links.ts";

export function refusalInWords(t: Translate, refusal: NonNullable<AskedLinkView["refusal"]>): string {
  return t(`chat.joinRefused.${refusal}`);
}

/** How far an asking is, in a few words. */
export function stateOfAsked(t: Translate, { state, refusal }: AskedLinkView): string {
  if (refusal !== null) return refusalInWords(t, refusal);
  return t(state === "asking" ? "chat.joinWaits" : "chat.joinSilentShort");
}
