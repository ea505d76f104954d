// Bytes that are no HTTP request, over a real socket: the response has the shape of every error.
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";

let world: ApiWorld;
let port: number;

beforeAll(async () => {
  world = await createApiWorld();
  ({ port } = await world.server.listen({ host: "127.0.0.1", port: 0 }));
});
afterAll(() => world[Symbol.asyncDispose]());

/** Everything that the node sends back before it closes the connection. */
async function responseTo(bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  socket.write(bytes);
  await once(socket, "close");
  return text;
}

it.each([
  ["no request line", "hello\r\n\r\n", 400],
  ["another protocol", "\u0016\u0003\u0001\u0002\u0000\u0001", 400],
  ["an unknown method", "FETCH /api/netstats HTTP/1.1\r\nhost: localhost\r\n\r\n", 400],
  ["a header without a name", "GET /api/netstats HTTP/1.1\r\nhost: localhost\r\n: x\r\n\r\n", 400],
  ["two lengths", "POST /api/tx HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}", 400],
  ["headers without end", `GET /api/netstats HTTP/1.1\r\nhost: localhost\r\nx: ${"x".repeat(100_000)}\r\n\r\n`, 431],
])("%s", async (_name, bytes, status) => {
  const [head = "", body = ""] = (await responseTo(bytes)).split("\r\n\r\n");
  expect(head).toContain(`HTTP/1.1 ${status} `);
  expect(head).toContain("content-type: application/json; charset=utf-8");
  expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body)).toEqual({ error: expect.any(String) });
});
