// Lasting notes above the view: phrase not confirmed, weak password, keys not published, node of another kind. Calm, one line each, with a way out.

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type ComponentType, lazy, type ReactElement, Suspense } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { SettingsNotice } from "#renderer/components/feedback/settings-notice.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { useUnstored } from "#renderer/lib/browser/sealed/unstored.ts";
import { useIdle } from "#renderer/lib/browser/use-idle.ts";
import { untilLoaded } from "#renderer/lib/browser/window/until-loaded.ts";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount, useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import { checkNodeSupport } from "#renderer/lib/node/access/support-check.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { useFaucet, useOffersFaucet } from "#renderer/lib/node/use-faucet.ts";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";
import { useRegistrationStore } from "../background/registration-store.ts";
import { useMissingRegistration } from "../background/use-missing-registration.ts";

/** Loaded apart: what is said of devices can wait for the view. */
const DeviceNotices = lazy(
  async (): Promise<{ readonly default: ComponentType }> => ({
    default: (await untilLoaded(() => import("./device-notices.tsx"))).DeviceNotices,
  }),
);

/** Loaded apart: a browser has none of them. */
const DesktopNotices = lazy(
  async (): Promise<{ readonly default: ComponentType }> => ({
    default: (await untilLoaded(() => import("../../desktop/desktop-notices.tsx"))).DesktopNotices,
  }),
);

/** Loaded apart: storage is seldom full. */
const UnstoredNotice = lazy(
  async (): Promise<{ readonly default: ComponentType }> => ({
    default: (await untilLoaded(() => import("./unstored-notice.tsx"))).UnstoredNotice,
  }),
);

/** All notices that apply. */
export function Notices(): ReactElement {
  const isIdle = useIdle();
  const hasUnstored = useUnstored(({ items }) => items.size > 0);
  return (
    <>
      <Suspense fallback={null}>{desktopApi() !== undefined && <DesktopNotices />}</Suspense>
      <Suspense fallback={null}>
        {isIdle && (
          <WithAllWords>
            <DeviceNotices />
          </WithAllWords>
        )}
      </Suspense>
      <Suspense fallback={null}>{hasUnstored && <UnstoredNotice />}</Suspense>
      <RegistrationNotice />
      <BackupNotice />
      <WeakPasswordNotice />
      <OtherTabNotice />
      <SupportNotice />
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

function OtherTabNotice(): ReactElement | null {
  const t = useMessages();
  const { phase } = useMessengerSnapshot();
  if (phase !== "otherTab") return null;
  return (
    <Banner flush tone="neutral" title={t("shell.otherTabTitle")}>
      {t("shell.otherTabText")}
    </Banner>
  );
}

function BackupNotice(): ReactElement | null {
  const t = useMessages();
  const { status } = useKeyringValue();
  if (status?.phraseConfirmed !== false) return null;
  return (
    <SettingsNotice tone="neutral" title={t("shell.backupTitle")} section="account" action={t("settings.quiz")}>
      {t("shell.backupText")}
    </SettingsNotice>
  );
}

function WeakPasswordNotice(): ReactElement | null {
  const t = useMessages();
  const { status } = useKeyringValue();
  if (status?.hasWeakPassword !== true) return null;
  return (
    <SettingsNotice tone="warning" title={t("shell.weakPasswordTitle")} section="security" action={t("shell.weakPasswordChange")}>
      {t("shell.weakPasswordText")}
    </SettingsNotice>
  );
}
