// Mail among nodes: by gossip, and at keepers where the directory of the chain says so.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DataFolder } from "#node/config/files/data-folder.ts";
import { systemClock, systemRandom, systemTimers } from "#node/config/system-clock.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import type { NetworkHandlers, PeerNetwork } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import type { Verify } from "#node/relay/intake/client-mail.ts";
import { CardExchange, type CardPlaces, placesAtKeepers } from "#node/relay/keepers/card-exchange.ts";
import { KeeperMail } from "#node/relay/keepers/keeper-mail.ts";
import type { MailDirectory } from "#node/relay/keepers/placing/mail-directory.ts";
import { DIGEST_MARK_FILE, DigestMarkFile } from "#node/relay/keepers/repair/digest-mark-file.ts";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import type { PublicCards } from "#node/relay/owners/public-cards.ts";
import type { Relay } from "#node/relay/relay.ts";
import { createRelayNetwork, type RelayNetwork } from "#node/relay/relay-network.ts";
import type { TypingNotice } from "#node/relay/typing-exchange.ts";
import type { MailboxRepository } from "#node/storage/mailbox/mailbox-repository.ts";
import { MAIL_QUEUE_FILE, type MailQueue, openMailQueue } from "#node/storage/messages/mail-queue.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { DigestContradiction } from "#shared/protocol/transactions/payload.ts";

export interface MailNetworkDependencies {
  readonly folder: Pick<DataFolder, "genesis" | "nodeKey" | "relayKey" | "paths">;
  readonly relay: Relay;
  readonly mailbox: MailboxRepository;
  /** Where the directory of keepers is read. */
  readonly directory: MailDirectory;
  readonly verify: Verify;
  readonly log: Log;
  /** Takes digests of keepers that contradict each other; a node without it signs none and asks for none. */
  readonly onContradiction?: (evidence: DigestContradiction) => void;
  /** Public cards that this node holds. */
  readonly cards: PublicCards;
  /** False for a node that cannot look up whose device it is without asking others: it holds cards of its own clients alone. */
  readonly holdsCardsOfOthers: boolean;
  /** False where mail of this node's clients goes to keepers without carriers. */
  readonly usesCarriers: boolean;
}

/** The tie, with cards. */
export type MailNetwork = RelayNetwork & { readonly cards: CardExchange };

/** Without keepers a card is handed to so many nodes, this one among them, and asked of so many others. docs/limits.md lists these. */
export const CARD_COPIES = 4;
export const CARD_READERS = 8;

/** What the network is wired to. Ends with `opened`. @throws CodedError of the storage */
export function openMailNetwork(dependencies: MailNetworkDependencies, opened: AsyncDisposableStack): MailNetwork {
  const { relay, mailbox, log } = dependencies;
  const byGossip = createRelayNetwork({ relay, store: mailbox, clock: systemClock, log: log.child("relay") });
  const atKeepers = new MailAtKeepers(dependencies, (notice) => byGossip.typing.receive(notice));
  opened.defer(() => atKeepers.close());
  atKeepers.look();
  return {
    cards: atKeepers.cards,
    typing: byGossip.typing,
    handlers: { ...byGossip.handlers, mail: atKeepers.respond, carry: atKeepers.carry },
    attach(network: PeerNetwork): () => void {
      const stops = [byGossip.attach(network), atKeepers.attach(network)];
      return (): void => {
        for (const stop of stops) stop();
      };
    },
  };
}

type CardPlacesOf = { readonly write: CardPlaces; readonly read: CardPlaces };

/** Begins once keepers are announced, and stays from then on: which way mail goes is its own affair. Until then nothing is opened or asked. */
class MailAtKeepers {
  readonly #dependencies: MailNetworkDependencies;
  readonly #onTyping: (notice: TypingNotice) => void;
  readonly #stopFollowing: () => void;
  #begun: { readonly mail: KeeperMail; readonly queue: MailQueue } | undefined;
  #network: PeerNetwork | undefined;
  #detach: (() => void) | undefined;
  #isClosed = false;
  readonly cards: CardExchange;

  constructor(dependencies: MailNetworkDependencies, onTyping: (notice: TypingNotice) => void) {
    this.#dependencies = dependencies;
    this.#onTyping = onTyping;
    const { cards, directory, log } = dependencies;
    this.cards = new CardExchange({
      cards,
      placesOf: (device): CardPlacesOf => this.#placesOf(device),
      mayHold: async (device, from): Promise<boolean> => {
        const mail = this.#begun?.mail;
        return dependencies.holdsCardsOfOthers && (mail?.ways.keepers !== true || (await mail.keeps(device, from)));
      },
      epoch: (): number => directory.currentDirectory()?.epoch ?? 0,
      ask: (node, request, signal): Promise<MailResponse> => this.#ask(node, request, signal),
      onLie: (node): void => this.#network?.report(peerNameOf(node), "lie"),
      clock: systemClock,
      log: log.child("relay"),
    });
    this.#stopFollowing = dependencies.directory.onDirectory(() => this.#onDirectory());
  }

  readonly respond: NonNullable<NetworkHandlers["mail"]> = async (request, from) => {
    if (request.type === "card") return await this.cards.respond(request, from);
    if (this.#begun !== undefined) return await this.#begun.mail.handlers.mail(request, from);
    return { type: "wrongKeeper", epoch: this.#dependencies.directory.currentDirectory()?.epoch ?? 0 };
  };

  readonly carry: NonNullable<NetworkHandlers["carry"]> = async (request, from) =>
    this.#begun === undefined ? { type: "refused", why: "busy" } : await this.#begun.mail.handlers.carry(request, from);

  /** Keepers of the device's lasting mailbox, or without keepers the nodes around this one, those that it dialled first. */
  #placesOf(device: X25519KeyHex): CardPlacesOf {
    const own = this.#dependencies.folder.nodeKey.publicKey;
    const keepers = this.#begun?.mail.keepersOf(device);
    if (keepers === undefined) {
      const peers = this.#network?.peers() ?? [];
      const chosen = peers.toSorted((a, b) => Number(a.direction === "inbound") - Number(b.direction === "inbound"));
      const around = chosen.flatMap(({ nodeKey }) => nodeKey ?? []).slice(0, CARD_READERS);
      const copies = Math.min(CARD_COPIES, around.length + 1);
      // One after the other in place of those that do not take it.
      const inPlace = around.slice(copies - 1).map((key) => [key]);
      const places = { copies, isOwn: true };
      return { write: { ...places, groups: [around.slice(0, copies - 1), ...inPlace] }, read: { ...places, groups: [around] } };
    }
    return placesAtKeepers(keepers, own);
  }

  async #ask(node: PublicKeyHex, request: MailRequest, signal: AbortSignal): Promise<MailResponse> {
    if (this.#network === undefined) throw new CodedError("UPSTREAM_FAILED", "This node has no network");
    const mail = this.#begun?.mail;
    if (mail?.ways.keepers === true) return await mail.ask(node, request, signal);
    return await this.#network.requestMail({ key: node, multiaddr: null }, request, signal);
  }

  /** Begins where there are keepers, or were when this folder was used last. */
  look(): void {
    const { folder, relay, mailbox, directory, verify, log, usesCarriers, onContradiction } = this.#dependencies;
    if (this.#begun !== undefined || this.#isClosed) return;
    const { root } = folder.paths;
    const mode = directory.currentDirectory()?.directory.mode.is ?? "gossip";
    if (mode === "gossip" && !existsSync(join(root, MAIL_QUEUE_FILE))) return;
    const queue = openMailQueue(root);
    const digests = onContradiction && { mark: new DigestMarkFile(join(root, DIGEST_MARK_FILE)), onContradiction };
    const mail = new KeeperMail({
      ...(digests && { digests }),
      ...{ chainId: folder.genesis.chain_id, key: folder.nodeKey, directory, relay, store: mailbox, queue, verify },
      ...{ retentionMs: MAILBOX_LIMITS.retentionMs, clock: systemClock, timers: systemTimers, random: systemRandom },
      ...{ log: log.child("relay"), onTyping: this.#onTyping, usesCarriers, relaySecret: folder.relayKey.secret },
      respondCard: (request, from): Promise<MailResponse | undefined> => this.cards.respond(request, from),
    });
    this.#begun = { mail, queue };
    relay.sendThrough(mail);
    if (this.#network !== undefined) this.#detach = mail.attach(this.#network);
  }

  /** Called where a block is committed: mail goes on by gossip where the queue cannot be opened, until the next directory. */
  #onDirectory(): void {
    try {
      this.look();
    } catch (error) {
      this.#dependencies.log.error({ err: error }, "Mail cannot go to keepers");
    }
  }

  attach(network: PeerNetwork): () => void {
    this.#network = network;
    this.#detach = this.#begun?.mail.attach(network);
    return (): void => {
      this.#network = undefined;
      this.#detach?.();
      this.#detach = undefined;
    };
  }

  /** After the network was stopped. */
  close(): void {
    this.#isClosed = true;
    this.#stopFollowing();
    this.#begun?.queue.close();
  }
}
