// What a gateway passes on to its node, and what never: the node takes it for its owner.
import { expect, it } from "vitest";
import type { RequestContext } from "#node/api/handler-types.ts";
import { resolveApiOptions } from "#node/api/options.ts";
import { createProxiedHandlers, type ProxiedHandlersDependencies } from "#node/gateway/public/server/proxied-handlers.ts";

it("passes nothing on that nodes do for their owners alone", async () => {
  const asked: string[] = [];
  const handlers = createProxiedHandlers({
    mail: {},
    explorer: {},
    links: {
      request: (path: string) => {
        asked.push(path);
        return Promise.resolve({ status: 200, text: "{}", at: 0 });
      },
    },
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    options: resolveApiOptions({ listenHost: "127.0.0.1" }),
  } as unknown as ProxiedHandlersDependencies);
  const context = { isOwn: true, looksLocal: true } as RequestContext;
  const place = { url: "http://localhost:1/", path: "a" };
  const calls: (() => unknown)[] = [
    (): unknown => handlers.openCallRelay({ body: {} }, context),
    (): unknown => handlers.readRate({ body: place }, context),
    (): unknown => handlers.readPage({ body: { url: "https://page.example/" } }, context),
    (): unknown => handlers.requestDuty({ body: {} as never }, context),
    (): unknown => handlers.holdMail({ body: { name: "", not_before: 0, envelopes: [] } }, context),
    (): unknown => handlers.withdrawMail({ body: { name: "" } }, context),
  ];
  for (const call of calls) await expect(Promise.resolve().then(call)).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(asked).toEqual([]);
});
