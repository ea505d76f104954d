// A relay of @nostr-relay/core over WebSockets with events in SQLite: node nostr-relay-server.mjs PORT FILE
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { NostrRelay } = require("@nostr-relay/core");
const { EventRepositorySqlite } = require("@nostr-relay/event-repository-sqlite");
const { WebSocketServer } = require("ws");

const [port, file] = process.argv.slice(2);
const repository = new EventRepositorySqlite(file);
await repository.init();
const relay = new NostrRelay(repository, { logger: { setLogLevel() {}, debug() {}, info() {}, warn() {}, error: console.error } });
const server = new WebSocketServer({ host: "127.0.0.1", port: Number(port) });
server.on("connection", (socket) => {
  relay.handleConnection(socket);
  socket.on("message", (data) => relay.handleMessage(socket, JSON.parse(data)));
  socket.on("close", () => relay.handleDisconnect(socket));
});
