// A connection that breaks at the wrong moment: what a page submits arrives at the node, and the answer does not arrive at the page; or it waits.
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
  await submitByHttp(page);
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

/** A submission that waits on its way to the node. */
export interface HeldSubmission {
  /** Resolves once there is one. */
  readonly arrived: Promise<void>;
  /** Lets it pass, or has the node refuse it or give no answer; from now on submissions pass. */
  end(fate: "taken" | "refused" | "lost"): Promise<void>;
}

/** Holds what the page submits next. */
export async function holdSubmission(page: Page): Promise<HeldSubmission> {
  const [arrival, fate] = [Promise.withResolvers<void>(), Promise.withResolvers<"taken" | "refused" | "lost">()];
  await submitByHttp(page);
  await page.route("**/api/tx", async (route) => {
    arrival.resolve();
    const end = await fate.promise;
    if (end === "taken") await route.continue();
    else if (end === "lost") await route.abort("connectionreset");
    else await route.fulfill({ status: 400, json: { code: "TX_INSUFFICIENT_BALANCE", error: "no" } });
  });
  return {
    arrived: arrival.promise,
    end: async (chosen): Promise<void> => {
      fate.resolve(chosen);
      await page.unrouteAll({ behavior: "wait" });
    },
  };
}

/** Submissions take the live connection where there is one: from now on it ends instead, so that all of them are seen by routes. */
async function submitByHttp(page: Page): Promise<void> {
  await page.evaluate(() => {
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function sendOrEnd(this: WebSocket, data: string): void {
      if (data.includes('"submit_tx"')) this.close();
      else send.call(this, data);
    };
  });
}
