// The registered relays, as commands read them.
import type { Output } from "#shared/api/api.ts";
import type { NodeClient } from "#shared/api/client.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { ListPage } from "../../session/printing/list-up-to.ts";

export type Relay = Output<"listRelays">[number];

export interface RelayQuery {
  readonly limit: number;
  readonly after?: string;
}

/** The node gives 1,000 relays at a time. */
export const RELAY_PAGE = 999;

/** One relay by its key: the first one after the key before it. */
export async function readRelay(client: NodeClient, publicKey: PublicKeyHex): Promise<Relay | undefined> {
  const before = BigInt(`0x${publicKey}`) - 1n;
  const place = before < 0n ? {} : { after: before.toString(16).padStart(publicKey.length, "0") };
  const [relay] = await client.listRelays({ ...place, limit: 1 });
  return relay?.pub_key === publicKey ? relay : undefined;
}

/** A page in the order of the keys. One relay more is asked for: the node does not say whether there are more. */
export async function readRelays(client: NodeClient, { limit, ...query }: RelayQuery): Promise<ListPage<Relay>> {
  const relays = await client.listRelays({ ...query, limit: limit + 1 });
  const items = relays.slice(0, limit);
  return { items, next: relays.length > limit ? items.at(-1)?.pub_key : undefined };
}

/** All relays, page by page. */
export async function* allRelays(client: NodeClient): AsyncGenerator<Relay> {
  let after: string | undefined;
  do {
    const page: ListPage<Relay> = await readRelays(client, { limit: RELAY_PAGE, ...(after === undefined ? {} : { after }) });
    yield* page.items;
    after = page.next;
  } while (after !== undefined);
}
