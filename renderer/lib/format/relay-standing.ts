// Whether a relay keeps mail, in words.
import type { PlainMessageKey, Translate } from "#renderer/lib/messages/catalogue.ts";
import type { RegisteredRelay } from "#shared/api/schemas/nodes.ts";

const WORDS = {
  waiting: "explorer.relayStanding.waiting",
  in: "explorer.relayStanding.in",
  out: "explorer.relayStanding.out",
} as const satisfies Readonly<Record<string, PlainMessageKey>>;

/** Words for where a relay stands; one without a bond keeps none, nor does what a later node may say. */
export function relayStanding(t: Translate, keeper: RegisteredRelay["keeper"]): string {
  if (keeper?.suspended_until !== undefined) return t("explorer.relayStanding.suspended");
  const standing = keeper?.standing ?? "";
  return t(Object.hasOwn(WORDS, standing) ? WORDS[standing as keyof typeof WORDS] : "explorer.relayStanding.none");
}
