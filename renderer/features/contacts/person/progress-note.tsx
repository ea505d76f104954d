// What was done about a person from here and is not resolved: on its way to a block, or refused.
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useContactProgress } from "#renderer/lib/people/contacts/use-contact-progress.ts";
import { failureInWords } from "#renderer/lib/transactions/failure-in-words.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** The note, or nothing when everything is resolved. */
export function ProgressNote({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement | null {
  const t = useMessages();
  const progress = useContactProgress(publicKey);
  if (progress === undefined) return null;
  const { step, transaction } = progress;
  const { id, state } = transaction;
  const link = (
    <Link to="/explorer/tx/$id" params={{ id }}>
      {t("transactions.transaction")}
    </Link>
  );
  switch (state.kind) {
    case "inBlock":
      return null;
    case "submitted":
      return (
        <Banner tone="accent" title={t("contacts.status.submitted")} actions={link}>
          {t(`contacts.progress.${step}`)}
        </Banner>
      );
    case "failed":
      return (
        <Banner tone="danger" title={t("contacts.progressFailedTitle")} actions={link}>
          {failureInWords(t, state.reason)} {t("contacts.progressFailed", { height: state.blockIndex })}
        </Banner>
      );
    case "expired":
      return (
        <Banner tone="danger" title={t("contacts.progressFailedTitle")}>
          {t("contacts.progressExpired")}
        </Banner>
      );
  }
}
