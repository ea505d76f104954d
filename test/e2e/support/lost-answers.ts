// A connection that breaks at the wrong moment: what a page submits arrives at the node, and the answer does not arrive at the page.
import type { Page } from "playwright-core";

/** What a page submits. */
export interface LostAnswers {
  /** Ids of what was submitted, in order. */
  readonly ids: readonly string[];
  /** From now on answers arrive again. */
  findAgain(): void;
}

/** Loses the answers to all that the page submits from now on, until it is loaded again. */
export async function loseAnswers(page: Page): Promise<LostAnswers> {
  const ids: string[] = [];
  let isLost = true;
  // Submissions take the live connection where there is one: it ends instead, so that all of them are seen here.
  await page.evaluate(() => {
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function sendOrEnd(this: WebSocket, data: string): void {
      if (data.includes('"submit_tx"')) this.close();
      else send.call(this, data);
    };
  });
  await page.route("**/api/tx", async (route) => {
    ids.push((route.request().postDataJSON() as { readonly id: string }).id);
    // A node that is killed meanwhile gives no answer to lose.
    const response = await route.fetch().catch(() => undefined);
    await (isLost || response === undefined ? route.abort("connectionreset") : route.fulfill({ response }));
  });
  return {
    ids,
    findAgain: (): void => {
      isLost = false;
    },
  };
}
