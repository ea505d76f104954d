// Responses of nodes, as long as they may be.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { FEED_RESPONSE_BYTES, NODE_RESPONSE_BYTES } from "#node/gateway/public/gateway-limits.ts";
import { NodeLinks } from "#node/gateway/public/node-links.ts";

it("are given up beyond 16 MiB, but for pages of blocks, whose logs may take more", async () => {
  const text = "x".repeat(NODE_RESPONSE_BYTES + 1);
  const server = createServer((_, response) => void response.end(text));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const links = new NodeLinks([{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: "" }]);
  await expect(links.request("/", { method: "GET" })).rejects.toMatchObject({ code: "UNAVAILABLE" });
  const { text: got } = await links.request("/", { method: "GET", mostBytes: FEED_RESPONSE_BYTES });
  expect(got.length).toBe(text.length);
});
