// A page that is cut off from its node while it can still be loaded from it: as the desktop app, whose pages are its own, is without a node.
import type { Page, WebSocketRoute } from "playwright-core";

/** The way between a page and its node. */
export interface CutOff {
  /** Nothing passes any more, and open connections end. */
  readonly away: () => Promise<void>;
  /** Everything passes again. */
  readonly back: () => void;
}

const OF_THE_NODE = /^\/(?:api|relay|v2)\//;

/** Takes the way over; connections that are open already pass until the page is loaded again. */
export async function cutOff(page: Page): Promise<CutOff> {
  let isAway = false;
  const open = new Set<WebSocketRoute>();
  await page.routeWebSocket(/./, (socket) => {
    if (isAway) return void socket.close();
    socket.connectToServer();
    open.add(socket);
  });
  await page.route(
    ({ pathname }) => OF_THE_NODE.test(pathname),
    (route) => (isAway ? route.abort("connectionrefused") : route.fallback()),
  );
  return {
    away: async (): Promise<void> => {
      isAway = true;
      for (const socket of open) await socket.close();
      open.clear();
    },
    back: (): void => {
      isAway = false;
    },
  };
}
