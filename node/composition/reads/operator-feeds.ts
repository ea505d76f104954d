// What gateways of the operator read of a full node: its mail and its blocks, each over a connection that cannot write.
import { type ChainFeed, openChainFeed } from "#node/storage/chain/chain-feed.ts";
import { type MailFeed, openMailFeed } from "#node/storage/mailbox/sharing/mail-feed.ts";

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
