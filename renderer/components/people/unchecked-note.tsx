// Said where it could not be found out whether a person was paid before.
import type { ReactElement } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { Button } from "../controls/button.tsx";
import { Banner } from "../feedback/banner.tsx";

export function UncheckedNote({ onRetry }: { readonly onRetry: () => void }): ReactElement {
  const t = useMessages();
  return (
    <Banner
      tone="warning"
      title={t("wallet.unchecked")}
      actions={
        <Button size="small" onClick={onRetry}>
          {t("common.retry")}
        </Button>
      }
    >
      {t("wallet.uncheckedText")}
    </Banner>
  );
}
