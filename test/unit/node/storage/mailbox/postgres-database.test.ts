// Connections to PostgreSQL that end at the worst moment: a statement fails, and the process continues.
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { openPostgres } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { statement } from "#node/storage/mailbox/sharing/postgres/statement-batch.ts";

const INT4 = 23;

/** A message of the protocol: its letter, its length, its body. */
function message(letter: string, ...body: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(body);
  return Buffer.concat([Buffer.from(letter), int32(bytes.length + 4), bytes]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16(value: number): Buffer {
  return int32(value).subarray(2);
}

const READY = message("Z", Buffer.from("I"));
const FIELDS = [Buffer.from("timeline\0"), int32(0), int16(0), int32(INT4), int16(4), int32(-1), int16(0)];
const FIRST_TIMELINE = [
  message("T", int16(1), ...FIELDS),
  message("D", int16(1), int32(1), Buffer.from("1")),
  message("C", Buffer.from("SELECT 1\0")),
  READY,
];
const ENDED = message("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0"));

it("survive a server that ends between the answer of one statement and the next", async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(Buffer.concat([message("R", int32(0)), READY]));
      // All of it arrives at once, as it does at a process that is busy.
      socket.once("data", () => socket.end(Buffer.concat([...FIRST_TIMELINE, ENDED])));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const database = openPostgres([`postgres://parley@127.0.0.1:${(server.address() as AddressInfo).port}/parley`], () => undefined);
  onTestFinished(() => database.close());
  const unavailable = { code: "UNAVAILABLE" };
  await expect(database.run(statement("one", "SELECT 1"))).rejects.toMatchObject(unavailable);
  await expect(database.transaction(async (session) => session.exec("SELECT 1"))).rejects.toMatchObject(unavailable);
  expect(connections).toBe(2);
});
