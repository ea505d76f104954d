// NATS JetStream with file storage: a message broker in Go. It acknowledges what it wrote, without fsync for each message.
import { connect } from "node:net";
import { createTemporaryFolder } from "../../support/host/temporary-folder.ts";
import { MAILBOXES, type MailboxServer } from "../load/mailbox-load.ts";
import { NATS_PROGRAM, requirePeer, startPeer } from "./peer-process.ts";

interface NatsConnection {
  close(): Promise<void>;
}

interface Transport {
  connect(options: { readonly servers: string }): Promise<NatsConnection>;
}

interface JetStream {
  publish(subject: string, data: Uint8Array): Promise<unknown>;
  readonly consumers: { get(stream: string, options: { readonly deliver_policy: "new" }): Promise<Consumer> };
}

interface Consumer {
  consume(options: { readonly callback: (message: { readonly seq: number }) => void }): Promise<unknown>;
}

interface JetStreamModule {
  jetstream(connection: NatsConnection): JetStream;
  jetstreamManager(connection: NatsConnection): Promise<{ readonly streams: { add(config: object): Promise<unknown> } }>;
}

const STREAM = "MAILBOX";

/** A fresh server with one stream of `mailbox.N` and connections to it. The messages are the given texts. */
export async function startNats(texts: readonly string[], clientCount: number): Promise<MailboxServer> {
  const { connect: connectNats } = requirePeer("@nats-io/transport-node") as Transport;
  const { jetstream, jetstreamManager } = requirePeer("@nats-io/jetstream") as JetStreamModule;
  const folder = await createTemporaryFolder("parley-nats-");
  const args = (port: number): readonly string[] => ["-a", "127.0.0.1", "-p", String(port), "-js", "-sd", folder.path];
  const peer = await startPeer({ command: NATS_PROGRAM, args, isReady: listens });
  const connections = await Promise.all(Array.from({ length: clientCount + 1 }, () => connectNats({ servers: `127.0.0.1:${peer.port}` })));
  const [subscriber, ...publishers] = connections;
  if (subscriber === undefined) throw new Error("NATS gave no connection");
  const manager = await jetstreamManager(subscriber);
  await manager.streams.add({ name: STREAM, subjects: ["mailbox.*"], storage: "file" });
  const payloads = texts.map((text) => Buffer.from(text));
  return {
    clients: publishers.map((connection) => {
      const stream = jetstream(connection);
      const publish = async (n: number): Promise<void> => void (await stream.publish(`mailbox.${n % MAILBOXES}`, payloads[n] as Buffer));
      return { publish, list: undefined };
    }),
    subscribe: async (listener): Promise<void> => {
      const consumer = await jetstream(subscriber).consumers.get(STREAM, { deliver_policy: "new" });
      // Paced messages are published one after the other, so that sequence numbers of the stream are those of the messages.
      await consumer.consume({ callback: ({ seq }) => listener(seq - 1) });
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await Promise.all(connections.map((connection) => connection.close()));
      await peer[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
}

function listens(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1", () => resolve(true));
  socket.on("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}
