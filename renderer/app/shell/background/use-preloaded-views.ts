// Fetches the code of every view, and of what opens above views, once the shell is idle, so that all of it is instant and works when the
// node is away.
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

/** What is loaded when it is first opened. */
const ABOVE_VIEWS = [
  (): Promise<unknown> => import("#shared/messenger/commands/writing.ts"),
  (): Promise<unknown> => import("#renderer/components/overlays/popover-card.tsx"),
  (): Promise<unknown> => import("#renderer/components/overlays/menu-list.tsx"),
  (): Promise<unknown> => import("#renderer/components/overlays/dialog-window.tsx"),
  (): Promise<unknown> => import("#renderer/components/overlays/confirm-window.tsx"),
  (): Promise<unknown> => import("#renderer/components/feedback/toast-viewport.tsx"),
  (): Promise<unknown> => import("#renderer/components/people/name-dialog.tsx"),
  (): Promise<unknown> => import("#renderer/features/lock/unlock-dialog.tsx"),
  (): Promise<unknown> => import("#renderer/features/inbox/conversations/search-results.tsx"),
  (): Promise<unknown> => import("#renderer/features/inbox/model/blank/first-steps.tsx"),
  (): Promise<unknown> => import("#renderer/features/inbox/chat/chat-info.tsx"),
  (): Promise<unknown> => import("#renderer/features/inbox/chat/chat-search.tsx"),
  (): Promise<unknown> => import("#renderer/features/inbox/composer/files/file-cards.tsx"),
  (): Promise<unknown> => import("#renderer/features/inbox/composer/slash/slash-menu.tsx"),
  (): Promise<unknown> => import("#renderer/features/inbox/messages/parts/quick/quick-reactions.tsx"),
  (): Promise<unknown> => import("#renderer/features/inbox/messages/search/mark-found.ts"),
  (): Promise<unknown> => import("#renderer/features/inbox/messages/search/filter-form.tsx"),
  (): Promise<unknown> => import("#renderer/features/inbox/messages/search/filter-chips.tsx"),
  (): Promise<unknown> => import("#renderer/features/inbox/messages/selection/select-box.tsx"),
  (): Promise<unknown> => import("#renderer/features/inbox/messages/selection/selection-bar.tsx"),
  (): Promise<unknown> => import("../own/own-card.tsx"),
] as const;

/** Loads what is not loaded yet; a failure is met again when it is opened. */
export function usePreloadedViews(): void {
  const router = useRouter();
  useEffect(() => {
    const load = (): void => {
      for (const fetchCode of ABOVE_VIEWS) fetchCode().catch(() => undefined);
      for (const route of Object.values(router.routesById)) router.loadRouteChunk(route)?.catch(() => undefined);
    };
    const idle = requestIdleCallback(load);
    return (): void => cancelIdleCallback(idle);
  }, [router]);
}
