// The browser refused to store what was changed: said at once and until it is stored, with the way to try again.
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { retryUnstored } from "#renderer/lib/browser/sealed/unstored.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";

export function UnstoredNotice(): ReactElement {
  const t = useMessages();
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
