// Of what one is notified, how much a notice shows, and which chats are silent.
import { useMutation } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Select } from "#renderer/components/controls/select.tsx";
import { Switch } from "#renderer/components/controls/switch.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { useDesktopState } from "#renderer/lib/desktop/use-desktop-state.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";
import type { DesktopApi } from "#shared/desktop/desktop-api.ts";
import type { NotificationPreview } from "#shared/desktop/desktop-settings.ts";
import { MutedChats } from "./muted-chats.tsx";

const PREVIEWS = ["message", "sender", "hidden", "off"] as const satisfies readonly NotificationPreview[];

export function NotificationsSection(): ReactElement {
  const desktop = desktopApi();
  return (
    <>
      {desktop === undefined ? <InBrowser /> : <OnDesktop desktop={desktop} />}
      <Kinds />
      <MutedChats />
    </>
  );
}

interface PreviewProps {
  readonly value: NotificationPreview;
  readonly onChange: (value: NotificationPreview) => void;
}

function Preview({ value, onChange }: PreviewProps): ReactElement {
  const t = useMessages();
  return (
    <Select
      label={t("desktop.preview")}
      value={value}
      options={PREVIEWS.map((choice) => ({ value: choice, label: t(`desktop.preview.${choice}`) }))}
      onChange={onChange}
    />
  );
}

function OnDesktop({ desktop }: { readonly desktop: DesktopApi }): ReactElement | null {
  const t = useMessages();
  const toasts = useToasts();
  const { data: state } = useDesktopState(desktop);
  const { mutate } = useMutation({
    mutationFn: (notifications: NotificationPreview) => desktop.call("changeSettings", { notifications }),
    onError: (error) => toasts.show({ tone: "danger", title: t("desktop.changeFailed"), description: errorInWords(t, error).text }),
  });
  if (state === undefined) return null;
  return (
    <Section title={t("notify.system")}>
      <Preview value={state.settings.notifications} onChange={mutate} />
    </Section>
  );
}

type Permission = NotificationPermission | "unsupported";

function permissionNow(): Permission {
  return "Notification" in window ? Notification.permission : "unsupported";
}

/** The browser asks once; what it was told it keeps. */
function InBrowser(): ReactElement {
  const t = useMessages();
  const { notices, noticeSound, change } = useSettings();
  const [permission, setPermission] = useState(permissionNow);
  const choose = async (value: NotificationPreview): Promise<void> => {
    change({ notices: value });
    if (value !== "off" && permissionNow() === "default") await Notification.requestPermission();
    setPermission(permissionNow());
  };
  const isBlocked = notices !== "off" && permission !== "granted";
  return (
    <Section title={t("notify.system")} hint={t("notify.systemText")}>
      <Preview value={notices} onChange={(value): void => void choose(value)} />
      <p className={shared.between}>
        <span>{t("notify.permission")}</span>
        <span className={shared.muted}>{t(`notify.permission.${permission}`)}</span>
      </p>
      {isBlocked && (
        <Banner tone="warning" title={t("notify.blockedTitle")}>
          {t(permission === "unsupported" ? "notify.unsupportedText" : "notify.blockedText")}
        </Banner>
      )}
      <Switch
        label={t("notify.sound")}
        hint={t("notify.soundHint")}
        checked={noticeSound}
        disabled={notices === "off"}
        onChange={(checked): void => change({ noticeSound: checked })}
      />
    </Section>
  );
}

function Kinds(): ReactElement {
  const t = useMessages();
  const { noticeMessages, noticeRequests, noticePayments, change } = useSettings();
  return (
    <Section title={t("notify.kinds")}>
      <Switch
        label={t("notify.messages")}
        hint={t("notify.messagesHint")}
        checked={noticeMessages}
        onChange={(checked): void => change({ noticeMessages: checked })}
      />
      <Switch label={t("notify.requests")} checked={noticeRequests} onChange={(checked): void => change({ noticeRequests: checked })} />
      <Switch label={t("notify.payments")} checked={noticePayments} onChange={(checked): void => change({ noticePayments: checked })} />
    </Section>
  );
}
