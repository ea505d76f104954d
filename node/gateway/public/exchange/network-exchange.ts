// Mail between the database and the network of nodes. What clients handed in waits in the database until a node has it; what nodes have is
// taken in page by page. Any process may do either, one at a time does.
import { type FeedPage, type FeedPosition, feedPageOf } from "#node/storage/mailbox/sharing/mail-feed.ts";
import { follow, handOver } from "#node/storage/mailbox/sharing/postgres/mail/network-positions.ts";
import type { RoomAside } from "#node/storage/mailbox/sharing/postgres/mail/refused-notices.ts";
import type { PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { ROUTES } from "#shared/api/routes.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { parseEnvelope } from "#shared/protocol/mail/envelope.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import { IDLE_PAUSE_MS, NOTICES_A_ROUND } from "../gateway-limits.ts";
import type { GatewayMail, NetworkMail } from "../gateway-mail.ts";
import { feedRefusal, type NodeLinks } from "../node-links.ts";
import { repeatRounds } from "../rounds.ts";
import { sendNotices } from "./notice-sender.ts";

export interface ExchangeDependencies {
  readonly database: PostgresDatabase;
  readonly mail: Pick<GatewayMail, "receive">;
  readonly links: Pick<NodeLinks, "request">;
  readonly clock: Pick<Clock, "nowMs">;
  readonly timers: Timers;
  readonly onError: (error: unknown, what: string) => void;
  /** For what nodes refused; REFUSED_NOTICES and REFUSED_BYTES where it is left out. */
  readonly roomAside?: RoomAside | undefined;
}

/** Begins to exchange; returns the way to stop. */
export function startExchange(dependencies: ExchangeDependencies): () => Promise<void> {
  const { timers, onError } = dependencies;
  const sweep: Sweep = { after: 0, until: undefined, stuck: new Set() };
  const stops = [
    repeatRounds({
      timers,
      idlePauseMs: IDLE_PAUSE_MS,
      work: () => handWaiting(dependencies, sweep),
      onError: (error) => onError(error, "Mail could not be handed to a node: it waits"),
    }),
    repeatRounds({
      timers,
      idlePauseMs: IDLE_PAUSE_MS,
      work: () => takeMail(dependencies),
      onError: (error) => onError(error, "Mail of a node could not be taken in"),
    }),
  ];
  return async (): Promise<void> => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** One pass over all that waits, of several rounds. */
interface Sweep {
  after: number;
  until: number | undefined;
  /** Mailboxes of which a node has not taken a notice: later ones wait for it, and those of other mailboxes do not. */
  readonly stuck: Set<string>;
}

function restart(sweep: Sweep): void {
  sweep.after = 0;
  sweep.until = undefined;
  sweep.stuck.clear();
}

/** True when there may be more at once. */
async function handWaiting({ database, links, clock, onError, roomAside: room }: ExchangeDependencies, sweep: Sweep): Promise<boolean> {
  const nowSec = Math.floor(clock.nowMs() / 1_000);
  const round = await handOver(database, { ...sweep, limit: NOTICES_A_ROUND, nowSec, room }, async (notices) => {
    const { done, refused, stuck } = await sendNotices(links, notices, sweep.stuck);
    for (const mailbox of stuck) sweep.stuck.add(mailbox);
    const [first] = refused;
    if (first !== undefined)
      onError(
        new CodedError("UPSTREAM_FAILED", first.error),
        `A node refused ${refused.length} that clients handed in: they are tried again`,
      );
    return { done, refused };
  });
  if (round === undefined) {
    restart(sweep);
    return false;
  }
  const { found, done, left, until } = round;
  const isLast = found.length < NOTICES_A_ROUND;
  const hasStuck = sweep.stuck.size > 0;
  if (isLast) restart(sweep);
  else Object.assign(sweep, { after: found.at(-1)?.n ?? 0, until });
  // With a pause: a node is not asked all the time for what it refuses.
  if (left > 0) throw new CodedError("UNAVAILABLE", "Nodes refuse more of the mail than there is room for aside: it waits");
  if (hasStuck && (isLast || done === 0)) throw new CodedError("UNAVAILABLE", "No node takes some of the mail now");
  return !isLast;
}

async function takeMail({ database, links, mail }: ExchangeDependencies): Promise<boolean> {
  const asked = await links.request(ROUTES.getStatus[1], { method: ROUTES.getStatus[0] });
  const { relay_pub: node } = asked.status === 200 ? (JSON.parse(asked.text) as { readonly relay_pub?: unknown }) : {};
  if (typeof node !== "string") throw new CodedError("UNAVAILABLE", "No node says who it is now");
  let hasMore = false;
  await follow(database, node, async (position) => {
    const page = await readFeed(links, position, asked.at);
    await mail.receive(networkMail(page));
    hasMore = page.has_more;
    return { after: page.after, deletionsAfter: page.deletions_after };
  });
  return hasMore;
}

/** A page of the node whose position this is: another one may answer meanwhile, and counts its mail by itself. */
async function readFeed(
  links: ExchangeDependencies["links"],
  { after, deletionsAfter }: FeedPosition,
  expectedAt: number,
): Promise<FeedPage> {
  const { method, path } = rawEndpoints.readMailFeed;
  const { status, text, at } = await links.request(`${path}?after=${after}&deletions_after=${deletionsAfter}`, { method });
  if (at !== expectedAt) throw new CodedError("UNAVAILABLE", "Another node answers than a moment ago");
  if (status !== 200) throw feedRefusal(status, "A node gives nothing of its mail", "its token, --node-token-file");
  return feedPageOf(JSON.parse(text));
}

function networkMail({ envelopes, openings, deletions }: FeedPage): NetworkMail {
  const writeKeys = new Map(openings.map(({ mailbox, writeKey }) => [mailbox, writeKey]));
  return {
    openings,
    deletions,
    mail: envelopes.map(({ envelope, admit, party, tag }) => ({
      envelope: parseEnvelope(envelope),
      admission: admit === null ? undefined : { admit, writeKey: writeKeys.get(envelope.recipient_pub) },
      source: { party, tag },
    })),
  };
}
