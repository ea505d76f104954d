// Settings of the desktop app; in a browser the section is not there.
import { useMutation } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Switch } from "#renderer/components/controls/switch.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { useDesktopState } from "#renderer/lib/desktop/use-desktop-state.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { DesktopApi, DesktopState } from "#shared/desktop/desktop-api.ts";
import type { DesktopSettingsChange } from "#shared/desktop/desktop-settings.ts";
import { DesktopNodeSection } from "./desktop-node-section.tsx";
import { DesktopUpdateSection } from "./desktop-update-section.tsx";
import { DesktopWorkSection } from "./desktop-work-section.tsx";

export function DesktopSection(): ReactElement | null {
  const desktop = desktopApi();
  return desktop === undefined ? null : <DesktopSettingsView desktop={desktop} />;
}

function DesktopSettingsView(props: { readonly desktop: DesktopApi }): ReactElement | null {
  const { desktop } = props;
  const { data: state } = useDesktopState(desktop);
  if (state === undefined) return null;
  return (
    <>
      <SetAsideNote state={state} />
      <WindowSection desktop={desktop} state={state} />
      <DesktopNodeSection desktop={desktop} state={state} />
      <DesktopWorkSection desktop={desktop} state={state} />
      <DesktopUpdateSection desktop={desktop} state={state} />
    </>
  );
}

function SetAsideNote(props: { readonly state: DesktopState }): ReactElement | null {
  const t = useMessages();
  const file = props.state.settingsSetAside;
  if (file === null) return null;
  return (
    <Banner tone="warning" title={t("desktop.setAsideTitle")}>
      {t("desktop.setAsideText", { file })}
    </Banner>
  );
}

function WindowSection(props: { readonly desktop: DesktopApi; readonly state: DesktopState }): ReactElement {
  const { desktop, state } = props;
  const t = useMessages();
  const toasts = useToasts();
  const { mutate: change } = useMutation({
    mutationFn: (next: DesktopSettingsChange) => desktop.call("changeSettings", next),
    onError: (error) => toasts.show({ tone: "danger", title: t("desktop.changeFailed"), description: errorInWords(t, error).text }),
  });
  const { closeToTray, startAtLogin, spellCheck } = state.settings;
  return (
    <Section title={t("desktop.window")}>
      <Switch
        label={t("desktop.closeToTray")}
        hint={t("desktop.closeToTrayHint")}
        checked={closeToTray}
        onChange={(checked): void => change({ closeToTray: checked })}
      />
      <Switch
        label={t("desktop.startAtLogin")}
        hint={t("desktop.startAtLoginHint")}
        checked={startAtLogin}
        onChange={(checked): void => change({ startAtLogin: checked })}
      />
      <Switch
        label={t("desktop.spellCheck")}
        hint={t("desktop.spellCheckHint")}
        checked={spellCheck}
        onChange={(checked): void => change({ spellCheck: checked })}
      />
    </Section>
  );
}
