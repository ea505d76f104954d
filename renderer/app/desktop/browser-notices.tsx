// Notices of the system in a browser, where the person has chosen them and the browser lets them through. Renders nothing.
import { useRouter } from "@tanstack/react-router";
import { type ReactElement, useEffect, useMemo } from "react";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger } from "#renderer/lib/messenger/messenger-context.tsx";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";
import { ConversationNotices } from "./conversation-notices.tsx";
import { createNoticeBoard, type NoticeContent, type ShownNotice } from "./notice-board.ts";
import { useNoticePort } from "./notice-port.ts";

export function BrowserNotices(): ReactElement {
  return (
    <WithAllWords>
      <Board />
    </WithAllWords>
  );
}

function Board(): ReactElement {
  const t = useMessages();
  const router = useRouter();
  const messenger = useMessenger();
  const port = useMemo(
    () =>
      createNoticeBoard({
        show: showInBrowser,
        preview: () => useSettings.getState().notices,
        isWatched: () => document.visibilityState === "visible" && document.hasFocus(),
        isElsewhere: () => messenger?.getSnapshot().phase === "otherTab",
        open: (path) => {
          window.focus();
          router.history.push(path);
        },
        instead: (kind, count) => t(`notify.new.${kind}`, { count }),
      }),
    [t, router, messenger],
  );
  useEffect(() => {
    useNoticePort.setState({ port });
    return (): void => useNoticePort.setState({ port: null });
  }, [port]);
  return <ConversationNotices port={port} />;
}

function showInBrowser({ title, body, tag }: NoticeContent): ShownNotice | undefined {
  if (!("Notification" in window) || Notification.permission !== "granted") return undefined;
  try {
    const notice = new Notification(title, { body, tag, silent: !useSettings.getState().noticeSound });
    return { onClick: (listener): void => notice.addEventListener("click", listener), close: () => notice.close() };
  } catch {
    // Browsers of telephones take notices from service workers only.
    return undefined;
  }
}
