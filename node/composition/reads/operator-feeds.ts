// What gateways of the operator read of a full node: its mail and its blocks, each over a connection that cannot write.
import type { GatewayFeed } from "#node/api/services.ts";
import type { MailForGateways } from "#node/relay/intake/mail-elsewhere.ts";
import type { Relay } from "#node/relay/relay.ts";
import { type ChainFeed, openChainFeed } from "#node/storage/chain/feed/chain-feed.ts";
import type { MailSource } from "#node/storage/mailbox/mail-sources.ts";
import { type MailFeed, openMailFeed } from "#node/storage/mailbox/sharing/mail-feed.ts";

/** Who brings what gateways took of clients that they do not name: of many networks, so it is bounded like another node. */
const GATEWAY: MailSource = { party: "gateway", tag: "" };

export interface OperatorFeeds {
  readonly mailFeed: MailFeed;
  readonly chainFeed: ChainFeed;
}

/** Opens both. @throws CodedError as every database of the folder */
export function openFeeds(directory: string, opened: AsyncDisposableStack): OperatorFeeds {
  return {
    mailFeed: opened.adopt(openMailFeed(directory), (feed) => feed.close()),
    chainFeed: opened.adopt(openChainFeed(directory), (feed) => feed.close()),
  };
}

/** What gateways are given of the mailboxes of a node. */
export function gatewayFeed(mailFeed: MailFeed, relay: Relay): GatewayFeed {
  return {
    read: (position) => mailFeed.read(position),
    last: () => mailFeed.last(),
    serve: (readers) => relay.readers.serveGateway(readers),
    takeOpening: (opening, client) => relay.boxes.takeLate(opening, client ?? GATEWAY, client === undefined),
    takeDeletion: (deletion) => relay.deletions.takeLate(deletion),
    broadcast: (value, client, admit) => relay.broadcast(value, client, admit),
    publicKey: relay.publicKey,
    get elsewhere(): MailForGateways | undefined {
      return relay.elsewhere;
    },
  };
}
