// Responses of nodes, as long as they may be.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { isRefusal } from "#node/gateway/public/exchange/notice-sender.ts";
import { FEED_RESPONSE_BYTES, NODE_RESPONSE_BYTES } from "#node/gateway/public/gateway-limits.ts";
import { feedRefusal, NodeLinks } from "#node/gateway/public/node-links.ts";

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

/** A node that answers with this status, and how often it was asked. */
async function nodeOf(
  status: number,
  code?: string,
): Promise<{ readonly url: string; readonly token: string; readonly asked: () => number }> {
  let count = 0;
  const server = createServer((_, response) => {
    count += 1;
    response.statusCode = status;
    if (code !== undefined) response.setHeader("x-error-code", code);
    response.end(`${status}`);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: "", asked: () => count };
}

it("that refuse mail are not everybody's word: the other nodes are asked, and what all refuse is refused", async () => {
  const [wrong, right, full, away] = [await nodeOf(404), await nodeOf(200), await nodeOf(400), await nodeOf(503)];
  const refuses = isRefusal;
  const mixed = new NodeLinks([wrong, away, right]);
  expect((await mixed.request("/", { method: "POST", refuses })).status).toBe(200);
  // Other requests stay with the node that is followed.
  expect([(await mixed.request("/", { method: "GET" })).status, wrong.asked(), right.asked()]).toEqual([404, 2, 1]);
  expect((await new NodeLinks([wrong, full]).request("/", { method: "POST", refuses })).status).toBe(404);
  // One that is away says nothing, so what the other one refuses is not refused by all.
  expect(await new NodeLinks([away, full]).request("/", { method: "POST", refuses })).toMatchObject({ status: 400, isUncertain: true });
  expect((await new NodeLinks([wrong, full]).request("/", { method: "POST", refuses })).isUncertain).toBeUndefined();
  expect((await new NodeLinks([right, wrong]).request("/", { method: "POST", refuses })).status).toBe(200);
  expect(wrong.asked()).toBe(4);
});

it("that take no token of the gateway end no round: the others are asked first, and followed from then on", async () => {
  const [stranger, right, full, gone] = [await nodeOf(401), await nodeOf(200), await nodeOf(400), await nodeOf(502)];
  const links = new NodeLinks([stranger, right]);
  expect((await links.request("/", { method: "GET" })).status).toBe(200);
  expect([(await links.request("/", { method: "POST", refuses: isRefusal })).status, stranger.asked()]).toEqual([200, 1]);
  // Where all others are away it says what is wrong.
  expect((await new NodeLinks([gone, stranger, gone]).request("/", { method: "GET" })).status).toBe(401);
  const refused = await new NodeLinks([stranger, full]).request("/", { method: "POST", refuses: isRefusal });
  expect(refused).toMatchObject({ status: 400, isUncertain: true });
});

it("that take no more for the moment end no round: the others are asked, and such a node is followed still", async () => {
  const [busy, right, full, stranger, gone] = [
    await nodeOf(429),
    await nodeOf(200),
    await nodeOf(400),
    await nodeOf(401),
    await nodeOf(502),
  ];
  const links = new NodeLinks([busy, right]);
  expect((await links.request("/", { method: "GET" })).status).toBe(200);
  expect([(await links.request("/", { method: "POST", refuses: isRefusal })).status, busy.asked()]).toEqual([200, 2]);
  // What another one refuses it may take later.
  const refused = await new NodeLinks([busy, full]).request("/", { method: "POST", refuses: isRefusal });
  expect(refused).toMatchObject({ status: 400, isUncertain: true });
  // It knows the gateway, and says when no other one does anything: who asked tries again later.
  for (const others of [[stranger, gone], [busy]])
    expect((await new NodeLinks([...others, busy]).request("/", { method: "GET" })).status).toBe(429);
});

it("that have no room for one mailbox are there: the others are asked, and such a node is followed still", async () => {
  const [full, right, stranger, gone] = [await nodeOf(503, "RELAY_FULL"), await nodeOf(200), await nodeOf(401), await nodeOf(503, "OTHER")];
  const links = new NodeLinks([full, right]);
  for (let n = 1; n <= 3; n += 1) {
    expect(await links.request("/", { method: "POST", refuses: isRefusal })).toMatchObject({ status: 200, at: 1 });
    expect([full.asked(), right.asked()]).toEqual([n, n]);
  }
  for (const others of [[stranger, gone], [full]])
    expect((await new NodeLinks([...others, full]).request("/", { method: "GET" })).code).toBe("RELAY_FULL");
  // Without that code it is away: the next request begins at the other one.
  const away = new NodeLinks([gone, right]);
  const before = gone.asked();
  for (let n = 0; n < 2; n += 1) expect((await away.request("/", { method: "GET" })).status).toBe(200);
  expect(gone.asked()).toBe(before + 1);
});

it("say why a node gives nothing of its feeds: it is busy, away, or does not know the gateway", () => {
  const said = [429, 401, 404, 503].map((status) => feedRefusal(status, "A node gives no blocks", "its token"));
  expect(said.map(({ code, message }) => `${code} ${message}`)).toEqual([
    "UNAVAILABLE A node gives no blocks (429): it takes no more requests of this gateway for the moment; if that lasts, raise its --rate-limit",
    "UPSTREAM_FAILED A node gives no blocks (401): a gateway needs its token",
    "UPSTREAM_FAILED A node gives no blocks (404): a gateway needs its token",
    "UNAVAILABLE A node gives no blocks (503): it is away",
  ]);
});
