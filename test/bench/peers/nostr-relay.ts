// A nostr relay in TypeScript with events in SQLite: the closest relative of our mailbox.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { createTemporaryFolder } from "../../support/host/temporary-folder.ts";
import { LIST_LENGTH, MAILBOXES, type MailboxClient, type MailboxServer } from "../load/mailbox-load.ts";
import { PEERS_FOLDER, requirePeer, startPeer } from "./peer-process.ts";

/** A signed event. */
export interface NostrEvent {
  readonly id: string;
  readonly tags: readonly (readonly string[])[];
}

interface Secp256k1 {
  readonly schnorr: {
    getPublicKey(secret: Uint8Array): Uint8Array;
    sign(message: Uint8Array, secret: Uint8Array): Uint8Array;
  };
}

const KIND_NOTE = 1;

/** Events with the given contents for mailboxes 0 to {@link MAILBOXES} − 1 in turn, signed by one author. */
export function signNostrEvents(contents: readonly string[]): readonly NostrEvent[] {
  const { schnorr } = requirePeer("@noble/curves/secp256k1.js") as Secp256k1;
  const secret = createHash("sha256").update("nostr author").digest();
  const pubkey = Buffer.from(schnorr.getPublicKey(secret)).toString("hex");
  const createdAt = Math.floor(Date.now() / 1_000);
  return contents.map((content, n) => {
    const tags = [["p", mailboxKey(n % MAILBOXES)]];
    const id = createHash("sha256")
      .update(JSON.stringify([0, pubkey, createdAt, KIND_NOTE, tags, content]))
      .digest();
    const sig = Buffer.from(schnorr.sign(id, secret)).toString("hex");
    return { id: id.toString("hex"), pubkey, created_at: createdAt, kind: KIND_NOTE, tags, content, sig };
  });
}

/** A fresh relay and connections to it. */
export async function startNostrRelay(events: readonly NostrEvent[], clientCount: number): Promise<MailboxServer> {
  const folder = await createTemporaryFolder("parley-nostr-");
  const args = (port: number): readonly string[] => [
    join(PEERS_FOLDER, "nostr-relay-server.mjs"),
    String(port),
    join(folder.path, "events.db"),
  ];
  const isReady = (port: number): Promise<boolean> => fetch(`http://127.0.0.1:${port}`).then(() => true);
  const peer = await startPeer({ command: process.execPath, args, isReady });
  const connections = await Promise.all(Array.from({ length: clientCount + 1 }, () => NostrConnection.open(peer.port)));
  const [subscriber, ...publishers] = connections;
  const numbers = new Map(events.map(({ id }, n) => [id, n]));
  return {
    clients: publishers.map(
      (connection): MailboxClient => ({
        publish: (n) => connection.publish(events[n] as NostrEvent),
        list: (n) => connection.list({ kinds: [KIND_NOTE], "#p": [mailboxKey(n)], limit: LIST_LENGTH }),
      }),
    ),
    subscribe: async (listener): Promise<void> => {
      await subscriber?.subscribe((id) => listener(numbers.get(id) ?? -1));
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      for (const connection of connections) connection.close();
      await peer[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
}

function mailboxKey(n: number): string {
  return createHash("sha256").update(`nostr mailbox ${n}`).digest("hex");
}

type RelayMessage = readonly [type: string, name: string, ...rest: unknown[]];

class NostrConnection {
  readonly #socket: WebSocket;
  /** Waiting for OK of an event, or for the end of a list. */
  #waiting: PromiseWithResolvers<void> | undefined;
  #listed = 0;
  #onEvent: ((id: string) => void) | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#receive(JSON.parse(String(data)) as RelayMessage));
  }

  static async open(port: number): Promise<NostrConnection> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error("The WebSocket failed")));
    await promise;
    return new NostrConnection(socket);
  }

  async publish(event: NostrEvent): Promise<void> {
    await this.#ask(["EVENT", event]);
  }

  async list(filter: object): Promise<void> {
    this.#listed = 0;
    await this.#ask(["REQ", "list", filter]);
    if (this.#listed !== LIST_LENGTH) throw new Error(`The relay listed ${this.#listed} events`);
    this.#socket.send(JSON.stringify(["CLOSE", "list"]));
  }

  async subscribe(onEvent: (id: string) => void): Promise<void> {
    this.#onEvent = onEvent;
    await this.#ask(["REQ", "push", { kinds: [KIND_NOTE], limit: 1 }]);
  }

  close(): void {
    this.#socket.close();
  }

  #ask(message: readonly unknown[]): Promise<void> {
    this.#waiting = Promise.withResolvers<void>();
    this.#socket.send(JSON.stringify(message));
    return this.#waiting.promise;
  }

  #receive([type, name, content]: RelayMessage): void {
    if (type === "EVENT" && name === "push") this.#onEvent?.((content as NostrEvent).id);
    else if (type === "EVENT") this.#listed += 1;
    else if (type === "EOSE" || (type === "OK" && content === true)) this.#waiting?.resolve();
    else this.#waiting?.reject(new Error(`The relay said ${JSON.stringify([type, name, content])}`));
  }
}
