// What the node says about itself, and about one's keys: it supports less than the app expects, the keys are not published.

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { checkNodeSupport } from "#renderer/lib/node/access/support-check.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { useFaucet, useOffersFaucet } from "#renderer/lib/node/use-faucet.ts";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";
import { useRegistrationStore } from "../background/registration-store.ts";
import { useMissingRegistration } from "../background/use-missing-registration.ts";
import { StaleNotice } from "./stale-notice.tsx";

/** All of them that apply. */
export function NodeNotices(): ReactElement {
  return (
    <>
      <RegistrationNotice />
      <SupportNotice />
      <StaleNotice />
    </>
  );
}

/** Said once for each thing that is missing; another node or version says it again. */
function SupportNotice(): ReactElement | null {
  const t = useMessages();
  const queries = useNodeQueries();
  const { dismissedNotices, change } = useSettings();
  const support = checkNodeSupport(useQuery(queries.version()).data);
  if (support.kind !== "protocol" && support.kind !== "features") return null;
  const text =
    support.kind === "protocol"
      ? t("shell.unsupportedProtocol", { version: support.version })
      : t("shell.unsupportedFeatures", { features: support.missing.join(", ") });
  if (dismissedNotices.includes(text)) return null;
  const dismiss = (): void => change({ dismissedNotices: [...dismissedNotices, text] });
  return (
    <Banner
      flush
      tone={support.kind === "protocol" ? "warning" : "neutral"}
      title={t("shell.unsupportedTitle")}
      actions={<IconButton icon={X} size="small" label={t("common.dismiss")} onClick={dismiss} />}
    >
      {text}
    </Banner>
  );
}

function RegistrationNotice(): ReactElement | null {
  const t = useMessages();
  const { masterPub } = useAccount();
  const { problem, retry } = useRegistrationStore();
  const { steps, costUt, canPay } = useMissingRegistration();
  if (steps.length === 0) return null;
  if (problem !== undefined) {
    const again = (
      <Button size="small" onClick={retry}>
        {t("common.retry")}
      </Button>
    );
    return (
      <Banner flush tone="warning" title={t("shell.registrationFailed")} actions={again}>
        {errorInWords(t, problem).text}
      </Banner>
    );
  }
  if (canPay !== false) return null;
  return (
    <Banner flush tone="accent" title={t("shell.registrationWaiting")} actions={<FaucetButton publicKey={masterPub} />}>
      {t("shell.registrationWaitingText", { amount: amountText(t, costUt) })}
    </Banner>
  );
}

function FaucetButton(props: { readonly publicKey: string }): ReactElement | null {
  const t = useMessages();
  const toasts = useToasts();
  const faucet = useFaucet();
  const isOffered = useOffersFaucet();
  if (!isOffered) return null;
  const ask = (): void =>
    faucet.mutate(props.publicKey, {
      onSuccess: () => toasts.show({ title: t("onboarding.faucetDone"), tone: "success" }),
      onError: toasts.showError,
    });
  return (
    <Button size="small" onClick={ask} busy={faucet.isPending}>
      {t("common.getTestTokens")}
    </Button>
  );
}
