// Two mailboxes at the node as a channel between two devices. What does not open, or does not belong here, is removed unread.
import {
  type BoxCipher,
  type BoxKeyPair,
  boxSharedKey,
  type Envelope,
  openEnvelope,
  sealEnvelope,
} from "#shared/protocol/mail/envelope.ts";
import { NONCE_BYTES } from "#shared/protocol/primitives/limits.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import type { LinkMailboxes } from "./link-keys.ts";
import { decodeLinkMessage, encodeLinkMessage, type LinkMessage } from "./link-message.ts";

/** What linking needs of a node. Calls reject with a CodedError. */
export interface LinkNode {
  readonly chainId: string;
  /** Of the runtime, where it has a faster one. */
  readonly cipher?: BoxCipher | undefined;
  broadcast(envelope: Envelope): Promise<void>;
  /** Oldest first. */
  list(mailbox: BoxKeyPair, limit: number): Promise<readonly Pick<Envelope, "id" | "sender_pub" | "nonce" | "ciphertext">[]>;
  /** The pair proves that the mailbox is one's own. */
  remove(mailbox: BoxKeyPair, id: string): Promise<void>;
}

/** Surroundings of a linking. */
export interface LinkHost {
  readonly node: LinkNode;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** Which end of the channel one is. */
export type LinkSide = "old" | "fresh";

/** Envelopes read at a time. */
const PAGE = 16;
/** Messages that are known to have been read. */
const MAX_READ = 1_024;

/** One end of a channel. */
export class LinkChannel {
  readonly #host: LinkHost;
  readonly #own: BoxKeyPair;
  readonly #theirs: string;
  readonly #sharedKey: Uint8Array;
  readonly #kinds: ReadonlySet<LinkMessage["kind"]>;
  /** Read already, though perhaps not removed yet. */
  readonly #read = new Set<string>();

  constructor(
    host: LinkHost,
    {
      mailboxes,
      side,
      kinds,
    }: { readonly mailboxes: LinkMailboxes; readonly side: LinkSide; readonly kinds: ReadonlySet<LinkMessage["kind"]> },
  ) {
    this.#host = host;
    this.#own = mailboxes[side];
    this.#theirs = toHex(mailboxes[side === "old" ? "fresh" : "old"].publicKey);
    this.#sharedKey = boxSharedKey(this.#own.secretKey, this.#theirs);
    this.#kinds = kinds;
  }

  async send(message: LinkMessage): Promise<void> {
    await this.#host.node.broadcast(this.seal(message));
  }

  /** A message ready to be sent, by whomever. */
  seal(message: LinkMessage): Envelope {
    const { clock, random, node } = this.#host;
    return sealEnvelope(
      {
        plaintext: encodeLinkMessage(message),
        recipientPub: this.#theirs,
        sender: this.#own,
        senderMasterPub: "",
        nonce: random(NONCE_BYTES),
        sentAt: Math.floor(clock.nowMs() / 1000),
      },
      this.#sharedKey,
      node.cipher,
    );
  }

  /** A transfer has tens of thousands of messages: those that were read longest ago are removed by now. */
  #remember(id: string): void {
    this.#read.add(id);
    const [oldest] = this.#read;
    if (oldest !== undefined && this.#read.size > MAX_READ) this.#read.delete(oldest);
  }

  /** What has come, each message once. */
  async receive(): Promise<readonly LinkMessage[]> {
    const { node } = this.#host;
    const messages: LinkMessage[] = [];
    const items = await node.list(this.#own, PAGE);
    for (const item of items) {
      if (this.#read.has(item.id)) continue;
      this.#remember(item.id);
      const plaintext =
        item.sender_pub === this.#theirs ? openEnvelope(item, this.#own.secretKey, this.#sharedKey, node.cipher) : undefined;
      const message = plaintext && decodeLinkMessage(plaintext);
      if (message !== undefined && this.#kinds.has(message.kind)) messages.push(message);
    }
    // Together: one signature deletes them at all nodes.
    await Promise.all(items.map(({ id }) => node.remove(this.#own, id).catch(() => undefined)));
    return messages;
  }
}
