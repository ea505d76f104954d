// Ties the relay to the network: what clients send here goes to all nodes, what other nodes send is stored, what was missed is requested.
import type { NetworkHandlers, PeerNetwork, ValidationResult } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import type { MailboxRepository } from "#node/storage/mailbox/mailbox-repository.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { DeletionNotice } from "#shared/protocol/mail/mail-messages.ts";
import type { Clock } from "#shared/util/clock.ts";
import { hostTimers } from "#shared/util/host.ts";
import { OlderMail } from "./intake/older-mail.ts";
import { UnforwardedMail } from "./intake/unforwarded-mail.ts";
import { nodeSource } from "./mail-source.ts";
import { readMailboxPage } from "./mailbox-page.ts";
import { MailboxSync, SYNC_INTERVAL_MS } from "./mailbox-sync.ts";
import type { MailNotice } from "./owners/mail-deletions.ts";
import type { Relay } from "./relay.ts";
import { TypingExchange } from "./typing-exchange.ts";

export interface RelayNetworkDependencies {
  readonly relay: Relay;
  readonly store: MailboxRepository;
  readonly clock: Clock;
  readonly log: Log;
}

/** The relay's part of the network. */
export interface RelayNetwork {
  /** For the clients' connections. */
  readonly typing: TypingExchange;
  /** What the network requests and delivers. */
  readonly handlers: Pick<NetworkHandlers, "envelopes" | "typing" | "deletion" | "opening" | "admitted" | "mailbox" | "mail" | "carry">;
  /** Begins to send and to ask; returns the way to stop. */
  attach(network: PeerNetwork): () => void;
}

/** The tie of a relay; nothing is sent before it is attached to a network. */
export function createRelayNetwork({ relay, store, clock, log }: RelayNetworkDependencies): RelayNetwork {
  let network: PeerNetwork | undefined;
  const typing = new TypingExchange((notice) => {
    if (relay.ways.gossip) network?.publishTyping(notice);
    else relay.toKeepers?.sendTyping(notice);
  });
  const unforwarded = new UnforwardedMail(relay.boxes);
  const older = new OlderMail({
    ...{ relay, unforwarded, clock },
    own: async (boxes, from): Promise<ReadonlySet<X25519KeyHex>> => (await relay.toKeepers?.own(boxes, from)) ?? new Set(boxes),
  });
  return {
    typing,
    handlers: {
      envelopes: async (envelopes, from): Promise<ValidationResult> => {
        const source = nodeSource(network, from);
        if (!relay.ways.gossip) return await older.envelopes(envelopes, { from, source });
        return unforwarded.judge(await relay.receive(envelopes, source), envelopes);
      },
      typing: (notice) => typing.receive(notice),
      deletion: ({ mailbox, ids, proof }) =>
        proof === null ? Promise.resolve(relay.deletions.receiveRead(mailbox, ids)) : relay.deletions.receive({ mailbox, ids, ...proof }),
      opening: (opening, from) => relay.boxes.receive(opening, nodeSource(network, from)),
      admitted: async (items, from): Promise<ValidationResult> => {
        const source = nodeSource(network, from);
        if (!relay.ways.gossip) return await older.admitted(items, { from, source });
        return unforwarded.judgeAdmitted(await relay.receiveAdmitted(items, source), items);
      },
      mailbox: (request) => readMailboxPage(store, request),
    },
    attach(attached): () => void {
      network = attached;
      const stopSending = relay.onEnvelope((envelope, isFirstHand, admit) => {
        if (!isFirstHand || !relay.ways.gossip) return;
        const opening = admit === undefined ? undefined : relay.boxes.find(envelope.recipient_pub)?.opening;
        if (admit === undefined || opening === undefined) attached.publishEnvelopes([envelope]);
        else attached.publishAdmitted([{ opening, envelope, admit }]);
      });
      const stopNoting = relay.onEnvelope((envelope, isFirstHand, admit) => {
        if (!isFirstHand && relay.ways.keepers) unforwarded.note(envelope, admit);
      });
      const stopOpening = relay.boxes.onOpening((opening) => {
        if (relay.ways.gossip) attached.publishOpening(opening);
      });
      const stopTelling = relay.deletions.onNotice((notice) => {
        if (relay.ways.gossip) attached.publishDeletion(networkNotice(notice));
      });
      const sync = new MailboxSync({ network: attached, relay, store, clock, timers: hostTimers, log });
      const timer = setInterval(() => void sync.poll(), SYNC_INTERVAL_MS);
      return (): void => {
        clearInterval(timer);
        sync.stop();
        stopSending();
        stopNoting();
        stopOpening();
        stopTelling();
        network = undefined;
      };
    },
  };
}

function networkNotice(notice: MailNotice): DeletionNotice {
  if (notice.type === "read") return { mailbox: notice.mailbox, ids: notice.ids, proof: null };
  const { mailbox, ids, height, signature } = notice.deletion;
  return { mailbox, ids, proof: { height, signature } };
}
