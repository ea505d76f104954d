// What HTTP says of large reads: when to come back, and that no client waits any more.
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import type { HeavyReads } from "#node/api/heavy-operations.ts";
import { JsonText } from "#node/api/json/json-text.ts";
import { createApiServer } from "#node/api/server.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createApiWorld } from "#test/support/worlds/api-world.ts";

describe("large reads over HTTP", () => {
  it("tell when to ask again when the line is full, and only then", async () => {
    const refusals = ["BUSY", "UNAVAILABLE"] as const;
    for (const code of refusals) {
      await using world = await createApiWorld({
        services: { heavyReads: { read: () => Promise.reject(new CodedError(code, "no")) } },
      });
      const { statusCode, headers } = await world.server.app.inject("/api/charts");
      expect([code, statusCode, headers["retry-after"]]).toEqual([code, 503, code === "BUSY" ? "1" : undefined]);
    }
  });

  it("are notified of a client that hangs up, and of the end of a response", async () => {
    await using world = await createApiWorld();
    const asked = Promise.withResolvers<void>();
    const ended: string[] = [];
    const heavyReads: HeavyReads = {
      read: (_operation, input, caller) => {
        const { resolution } = input as { readonly resolution?: string };
        const { promise, resolve } = Promise.withResolvers<JsonText>();
        caller?.onHangUp(() => {
          ended.push(resolution ?? "");
          resolve(new JsonText("{}"));
        });
        if (resolution === "day") resolve(new JsonText("{}"));
        else asked.resolve();
        return promise;
      },
    };
    const server = await createApiServer({ listenHost: "127.0.0.1" }, { ...world.services, heavyReads });
    const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.write("GET /api/charts?resolution=hour HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await asked.promise;
    expect(ended).toEqual([]);
    socket.destroy();
    await pollUntil(() => ended.includes("hour"));
    const { status } = await fetch(`http://127.0.0.1:${port}/api/charts?resolution=day`);
    expect(status).toBe(200);
    await server.close();
    expect(ended).toEqual(["hour", "day"]);
  });
});
