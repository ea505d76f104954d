// Whether a person is added privately or asked publicly.
import type { ReactElement } from "react";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { ContactEntry } from "#renderer/lib/people/contacts/contact-directory.ts";
import { MIN_CONTACT_FEE_UT } from "#shared/protocol/primitives/limits.ts";

/** `private`: on own devices alone, at once and free. `public`: by a request on the chain. */
export type ContactWay = "private" | "public";

/** The ways to make a contact of a person, the usual one first; none where there is nothing to do. */
export function waysTo({ relation, isAdded }: Pick<ContactEntry, "relation" | "isAdded">): readonly ContactWay[] {
  const isListed = relation === "contact" || relation === "blocked" || relation === "request";
  const mayAsk = relation === "none" || relation === "added";
  return [...(isListed || isAdded ? [] : ["private" as const]), ...(mayAsk ? ["public" as const] : [])];
}

export interface WayChoiceProps {
  readonly ways: readonly ContactWay[];
  readonly way: ContactWay;
  readonly onChange: (way: ContactWay) => void;
}

/** The choice. */
export function WayChoice({ ways, way, onChange }: WayChoiceProps): ReactElement {
  const t = useMessages();
  const amount = amountText(t, MIN_CONTACT_FEE_UT);
  const labels = { private: t("contacts.wayPrivate"), public: t("contacts.wayPublic", { amount }) };
  return (
    <SegmentedControl
      label={t("contacts.way")}
      value={way}
      onChange={onChange}
      options={ways.map((value) => ({ value, label: labels[value] }))}
    />
  );
}
