// A node's mailboxes in memory, as linking needs them, and two devices at it.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { LinkHost, LinkNode } from "#shared/linking/link-channel.ts";
import type { BoxKeyPair, Envelope } from "#shared/protocol/mail/envelope.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { Timers } from "#shared/util/clock.ts";
import { ManualTime, systemRandom } from "./keyring-world.ts";

export const LINK_CHAIN = "parley-test";

/** Mailboxes that can be away, and that remember everything that was ever in them. */
export class LinkMailboxNode implements LinkNode {
  readonly chainId: string;
  readonly stored: Envelope[] = [];
  readonly history: Envelope[] = [];
  isAway = false;

  constructor(chainId = LINK_CHAIN) {
    this.chainId = chainId;
  }

  async broadcast(envelope: Envelope): Promise<void> {
    this.#check();
    this.stored.push(envelope);
    this.history.push(envelope);
  }

  async list(mailbox: BoxKeyPair, limit: number): Promise<readonly Envelope[]> {
    this.#check();
    return this.stored.filter(({ recipient_pub }) => recipient_pub === toHex(mailbox.publicKey)).slice(0, limit);
  }

  async remove(mailbox: BoxKeyPair, id: string): Promise<void> {
    this.#check();
    const index = this.stored.findIndex((envelope) => envelope.id === id && envelope.recipient_pub === toHex(mailbox.publicKey));
    if (index >= 0) this.stored.splice(index, 1);
  }

  #check(): void {
    if (this.isAway) throw new CodedError("UNAVAILABLE", "The node cannot be reached");
  }
}

/** A device at a node, with a time of its own. */
export interface LinkDevice extends LinkHost {
  readonly clock: ManualTime;
  readonly timers: Timers;
}

/** A device. */
export function linkDevice(node: LinkNode): LinkDevice {
  const time = new ManualTime();
  return { node, clock: time, timers: time, random: systemRandom };
}
