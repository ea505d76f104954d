// Mail among nodes: by gossip, and at keepers where the chain has a directory of them.

import type { DataFolder } from "#node/config/files/data-folder.ts";
import { systemClock, systemRandom, systemTimers } from "#node/config/system-clock.ts";
import type { PeerNetwork } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import type { Verify } from "#node/relay/intake/client-mail.ts";
import { KeeperMail } from "#node/relay/keepers/keeper-mail.ts";
import type { MailDirectory } from "#node/relay/keepers/placing/mail-directory.ts";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import type { Relay } from "#node/relay/relay.ts";
import { createRelayNetwork, type RelayNetwork } from "#node/relay/relay-network.ts";
import type { MailboxRepository } from "#node/storage/mailbox/mailbox-repository.ts";
import { openMailQueue } from "#node/storage/messages/mail-queue.ts";

export interface MailNetworkDependencies {
  readonly folder: DataFolder;
  readonly relay: Relay;
  readonly mailbox: MailboxRepository;
  /** Undefined where the chain has no directory: mail goes by gossip. */
  readonly directory: MailDirectory | undefined;
  readonly verify: Verify;
  readonly log: Log;
}

/** What the network is wired to. Ends with `opened`. @throws CodedError of the storage */
export function openMailNetwork(
  { folder, relay, mailbox, directory, verify, log }: MailNetworkDependencies,
  opened: AsyncDisposableStack,
): RelayNetwork {
  const given = { relay, store: mailbox, clock: systemClock, log: log.child("relay") };
  const byGossip = createRelayNetwork(given);
  if (directory === undefined) return byGossip;
  const queue = opened.adopt(openMailQueue(folder.paths.root), (waiting) => waiting.close());
  const { retentionMs } = MAILBOX_LIMITS;
  const own = { chainId: folder.genesis.chain_id, key: folder.nodeKey, directory, queue, retentionMs, verify };
  const atKeepers = new KeeperMail({ ...given, ...own, timers: systemTimers, random: systemRandom });
  relay.sendThrough(atKeepers);
  return {
    typing: byGossip.typing,
    handlers: { ...byGossip.handlers, ...atKeepers.handlers },
    attach(network: PeerNetwork): () => void {
      const stops = [byGossip.attach(network), atKeepers.attach(network)];
      return (): void => {
        for (const stop of stops) stop();
      };
    },
  };
}
