// Ties the interface to the desktop shell: shows what the shell asks for, reports unread messages to it. Renders nothing.
import { focusManager } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type ReactElement, useEffect, useMemo } from "react";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { useDesktopState } from "#renderer/lib/desktop/use-desktop-state.ts";
import { PSEUDO_LANGUAGE } from "#renderer/lib/messages/languages.ts";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";
import type { DesktopApi } from "#shared/desktop/desktop-api.ts";
import { ConversationNotices } from "./conversation-notices.tsx";
import { type NoticePort, useNoticePort } from "./notice-port.ts";

/** Does nothing in a browser. */
export function DesktopLink(): ReactElement | null {
  const desktop = desktopApi();
  return desktop === undefined ? null : <Link desktop={desktop} />;
}

function Link(props: { readonly desktop: DesktopApi }): ReactElement {
  const { desktop } = props;
  const router = useRouter();
  const { live } = useNode();
  const totalUnread = useMessengerValue((messenger) => messenger.totalUnread);
  const chosen = useSettings((settings) => settings.language);
  const language = chosen === PSEUDO_LANGUAGE ? "en" : chosen;
  useEffect(
    () =>
      desktop.onEvent((event) => {
        if (event.type === "open") router.history.push(event.path);
        else if (event.type === "resume") live.reconnect();
      }),
    [desktop, router, live],
  );
  useEffect(() => {
    desktop.call("setUnread", { count: totalUnread }).catch(() => undefined);
  }, [desktop, totalUnread]);
  const state = useDesktopState(desktop).data;
  const known = state?.settings.language;
  const isVisible = state?.window.isVisible;
  // What only refreshes a view rests while none is seen; the messenger does not.
  useEffect(() => focusManager.setFocused(isVisible), [isVisible]);
  useEffect(() => {
    if (known !== undefined && known !== language) desktop.call("changeSettings", { language }).catch(() => undefined);
  }, [desktop, known, language]);
  const port = useMemo(
    (): NoticePort => ({
      show: (notice) => void desktop.call("notify", notice).catch(() => undefined),
      clear: (conversation) => void desktop.call("clearNotices", { conversation }).catch(() => undefined),
    }),
    [desktop],
  );
  useEffect(() => {
    useNoticePort.setState({ port });
    return (): void => useNoticePort.setState({ port: null });
  }, [port]);
  return <ConversationNotices port={port} />;
}
