// Programs that the person let in: whether programs may ask, what waits, what each may do, and what they did. The page only looks and ends;
// what gives power is decided in the shell's own window.
import { useMutation } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Switch } from "#renderer/components/controls/switch.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { useAppsState } from "#renderer/lib/desktop/use-apps-state.ts";
import { useDesktopState } from "#renderer/lib/desktop/use-desktop-state.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { DesktopApi } from "#shared/desktop/desktop-api.ts";
import type { DesktopAppsState } from "#shared/desktop/desktop-apps.ts";
import { AppsLog } from "./apps-log.tsx";
import { ConnectionList } from "./connection-list.tsx";
import { useOpenApprovals } from "./use-open-approvals.ts";

export function AppsSection(): ReactElement {
  const desktop = desktopApi();
  const t = useMessages();
  if (desktop !== undefined) return <DesktopApps desktop={desktop} />;
  return (
    <Section hideTitle title={t("settings.apps")}>
      <p className={shared.muted}>{t("apps.browser")}</p>
    </Section>
  );
}

function DesktopApps(props: { readonly desktop: DesktopApi }): ReactElement | null {
  const { desktop } = props;
  const settings = useDesktopState(desktop).data?.settings;
  const { data: state } = useAppsState();
  if (settings === undefined || state === undefined) return null;
  return (
    <>
      <Waiting desktop={desktop} state={state} />
      <Asking desktop={desktop} state={state} mayAsk={settings.programsMayAsk} />
      <ConnectionList desktop={desktop} connections={state.connections} mayAsk={settings.programsMayAsk} />
      <AppsLog desktop={desktop} state={state} />
    </>
  );
}

interface AskingProps {
  readonly desktop: DesktopApi;
  readonly state: DesktopAppsState;
  readonly mayAsk: boolean;
}

function Asking({ desktop, state, mayAsk }: AskingProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const { mutate: change, isPending } = useMutation({
    mutationFn: (programsMayAsk: boolean) => desktop.call("changeSettings", { programsMayAsk }),
    onError: (error) => toasts.show({ tone: "danger", title: t("desktop.changeFailed"), description: errorInWords(t, error).text }),
  });
  const { gateway } = state;
  return (
    <Section hideTitle title={t("settings.apps")} hint={t("apps.hint")}>
      <Switch
        label={t("apps.mayAsk")}
        hint={t("apps.mayAskHint")}
        checked={mayAsk}
        disabled={isPending}
        onChange={(next): void => change(next)}
      />
      {mayAsk && (gateway.kind === "failed" || gateway.kind === "crashed") && (
        <Banner tone="danger" title={t("apps.gatewayFailed")}>
          {gateway.reason}
        </Banner>
      )}
    </Section>
  );
}

/** What waits for the person, each with the way to the shell's window. */
function Waiting({ desktop, state }: Omit<AskingProps, "mayAsk">): ReactElement | null {
  const t = useMessages();
  const { open, isOpening } = useOpenApprovals(desktop);
  const { request, approvals } = state;
  const first = approvals[0];
  const action = (
    <Button size="small" variant="primary" busy={isOpening} onClick={open}>
      {t("apps.look")}
    </Button>
  );
  return (
    <>
      {request !== null && (
        <Banner tone="accent" title={t("apps.asks", { name: request.name })} actions={action}>
          {t("apps.asksText")}
        </Banner>
      )}
      {first !== undefined && (
        <Banner tone="warning" title={t("apps.over", { name: first.name, count: approvals.length })} actions={action}>
          {t("apps.overText")}
        </Banner>
      )}
    </>
  );
}
