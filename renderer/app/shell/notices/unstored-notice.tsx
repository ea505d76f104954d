// The browser refused to store what was changed: said at once and until it is stored, with the way to try again.
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { retryUnstored, useUnstored } from "#renderer/lib/browser/sealed/unstored.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";

/** The note; nothing while all is stored. */
export function UnstoredNotice(): ReactElement | null {
  const t = useMessages();
  const hasUnstored = useUnstored(({ items }) => items.size > 0);
  if (!hasUnstored) return null;
  return (
    <Banner
      flush
      tone="danger"
      title={t("shell.unstoredTitle")}
      actions={
        <Button size="small" onClick={(): void => void retryUnstored()}>
          {t("common.retry")}
        </Button>
      }
    >
      {t("shell.unstoredText")}
    </Banner>
  );
}
