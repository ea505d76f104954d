// What is public, in plain words.
import type { ReactElement } from "react";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";

/** The note. */
export function PublicSection(): ReactElement {
  const t = useMessages();
  return (
    <Banner isLasting title={t("contacts.public")}>
      {t("contacts.publicText")}
    </Banner>
  );
}
