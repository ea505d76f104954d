// Who is typing: opt-in, lossy, shown for a few seconds. The frames prove nothing, so they change nothing but this hint. What a message will
// need of the node is asked for meanwhile.

import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { CancelTimer } from "#shared/util/clock.ts";
import { peerOf } from "../model/conversation-id.ts";
import type { ConversationId } from "../model/message.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { recipientKeys } from "../state/key-directory.ts";
import type { TypingNames } from "./pair-typing.ts";

/** At most one frame per device of a peer in this time. */
const SEND_INTERVAL_MS = 4_000;
/** A hint without a newer one ends after this time. */
const SHOWN_MS = 6_000;

type TypingContext = Pick<
  EngineContext,
  "account" | "node" | "directory" | "registry" | "pairs" | "boxes" | "newestBlock" | "clock" | "timers" | "settings" | "changed"
>;

/** Sends and shows typing. */
export class Typing {
  readonly #context: TypingContext;
  readonly #sentMs = new Map<PublicKeyHex, number>();
  readonly #shown = new Map<PublicKeyHex, CancelTimer>();
  #names: Promise<TypingNames> | undefined;

  constructor(context: TypingContext) {
    this.#context = context;
  }

  /** Call on each keystroke; the peer is notified only where the setting is on. */
  notifyTyping(id: ConversationId): void {
    const peer = peerOf(id);
    if (peer === undefined) return;
    const { account, directory, newestBlock, node } = this.#context;
    if (node.isOnline()) {
      directory.expect([account.masterPub, peer]);
      void newestBlock.refresh();
    }
    void this.#notify(peer).catch(() => undefined);
  }

  /** Notifies the devices of a peer, unless that was done a moment ago. */
  async #notify(peer: PublicKeyHex): Promise<void> {
    const { account, node, directory, registry, clock, settings } = this.#context;
    const nowMs = clock.monotonicMs();
    const isRecent = nowMs - (this.#sentMs.get(peer) ?? Number.NEGATIVE_INFINITY) < SEND_INTERVAL_MS;
    if (!settings().typing || isRecent || peer === account.masterPub || registry.isStranger(peer) || registry.isBlocked(peer)) return;
    this.#sentMs.set(peer, nowMs);
    const { noticesFor } = await import("./pair-typing.ts");
    for (const { to, from } of noticesFor(this.#context, peer, recipientKeys(await directory.get(peer)))) node.sendTyping(to, from);
  }

  /** A frame arrived. Only devices of people looked up since start are recognised. */
  receive(from: X25519KeyHex): void {
    this.#show(this.#context.directory.ownerOf(from));
  }

  /** A frame arrived for a mailbox of this device for one person. */
  async receiveIn(mailbox: X25519KeyHex, from: X25519KeyHex): Promise<void> {
    if (!this.#context.settings().typing) return;
    this.#names ??= import("./pair-typing.ts").then(({ TypingNames: Loaded }) => new Loaded(this.#context));
    this.#show((await this.#names).ownerOf(mailbox, from));
  }

  #show(peer: PublicKeyHex | undefined): void {
    const { registry, settings } = this.#context;
    if (peer === undefined || !settings().typing || registry.isStranger(peer) || registry.isBlocked(peer)) return;
    this.#shown.get(peer)?.();
    this.#shown.set(
      peer,
      this.#context.timers.setTimer(SHOWN_MS, () => this.end(peer)),
    );
    registry.setTyping(peer, true);
    this.#context.changed();
  }

  /** The peer has stopped, or said what it was typing. */
  end(peer: PublicKeyHex): void {
    if (!this.#shown.has(peer)) return;
    this.#shown.get(peer)?.();
    this.#shown.delete(peer);
    this.#context.registry.setTyping(peer, false);
    this.#context.changed();
  }

  stop(): void {
    for (const peer of [...this.#shown.keys()]) this.end(peer);
  }
}
