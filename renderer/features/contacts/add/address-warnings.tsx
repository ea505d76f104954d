// What speaks against an address before a contact is made of it: it imitates another one, or could not be compared.
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { LookAlikeWarning } from "#renderer/components/people/look-alike-warning.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { RecipientCheck } from "#renderer/lib/people/use-recipient-check.ts";

export interface AddressWarningsProps {
  readonly check: RecipientCheck;
  readonly isOverridden: boolean;
  readonly onOverride: (isOverridden: boolean) => void;
}

/** The warning, or nothing. */
export function AddressWarnings({ check, isOverridden, onOverride }: AddressWarningsProps): ReactElement | null {
  const t = useMessages();
  if (check.kind === "firstTime" && check.lookAlike !== undefined)
    return <LookAlikeWarning lookAlike={check.lookAlike} isOverridden={isOverridden} onOverride={onOverride} />;
  if (check.kind !== "unchecked") return null;
  return (
    <Banner
      tone="danger"
      actions={
        <Button size="small" onClick={check.retry}>
          {t("common.retry")}
        </Button>
      }
    >
      {t("contacts.checkFailed")}
    </Banner>
  );
}
