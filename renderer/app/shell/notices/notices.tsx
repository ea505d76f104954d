// Lasting notes above the view: phrase not confirmed, weak password, keys not published, node of another kind. Calm, one line each, with a way out.

import { type ReactElement, Suspense } from "react";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { SettingsNotice } from "#renderer/components/feedback/settings-notice.tsx";
import { useIdle } from "#renderer/lib/browser/use-idle.ts";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";

/** Loaded apart: what is said of devices can wait for the view. */
const DeviceNotices = lazyPart(async () => (await import("./device-notices.tsx")).DeviceNotices);

/** Loaded apart: the node is asked first. */
const NodeNotices = lazyPart(async () => (await import("./node-notices.tsx")).NodeNotices);

/** Loaded apart: a browser has none of them. */
const DesktopNotices = lazyPart(async () => (await import("../../desktop/desktop-notices.tsx")).DesktopNotices);

/** Loaded apart: storage is seldom full. */
const UnstoredNotice = lazyPart(async () => (await import("./unstored-notice.tsx")).UnstoredNotice);

/** All notices that apply. */
export function Notices(): ReactElement {
  const isIdle = useIdle();
  return (
    <>
      <Suspense fallback={null}>{desktopApi() !== undefined && <DesktopNotices />}</Suspense>
      <Suspense fallback={null}>
        {isIdle && (
          <WithAllWords>
            <DeviceNotices />
            <NodeNotices />
          </WithAllWords>
        )}
      </Suspense>
      <Suspense fallback={null}>{isIdle && <UnstoredNotice />}</Suspense>
      <BackupNotice />
      <WeakPasswordNotice />
      <OtherTabNotice />
    </>
  );
}

function OtherTabNotice(): ReactElement | null {
  const t = useMessages();
  const phase = useMessengerValue((messenger) => messenger.phase);
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
