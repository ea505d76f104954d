// Hands notices of clients to a node, in order within a mailbox. What a node refuses is the client's, who was acknowledged: it is not dropped.
import type { NoticeOutcomes } from "#node/storage/mailbox/sharing/postgres/mail/network-positions.ts";
import type { DueNotice, Refusal } from "#node/storage/mailbox/sharing/postgres/mail/refused-notices.ts";
import type { Notice } from "#node/storage/mailbox/sharing/postgres/view/view-changes.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { ROUTES } from "#shared/api/routes.ts";
import { ROUND_MS } from "../gateway-limits.ts";
import type { NodeLinks, NodeResponse } from "../node-links.ts";

const NOTICE_PATHS = {
  envelope: ROUTES.broadcastEnvelope[1],
  deletion: ROUTES.deleteEnvelopes[1],
  opening: ROUTES.openBox[1],
} as const satisfies Readonly<Record<Notice["kind"], string>>;

/** Statuses of a node that has another token or none, that does not have the path, and that takes no more requests now. */
const UNKNOWN = 401;
const NOT_THERE = 404;
const TOO_MANY = 429;

type Links = Pick<NodeLinks, "request">;

/** Why no node takes a notice. */
export interface NoticeRefusal extends Omit<Refusal, "n" | "mailbox"> {
  /** Seconds until it may be tried again, where the node says so. */
  readonly retryAfterS?: number | undefined;
}

/** What came of several; `stuck` are mailboxes of which a node took no more now, though it refused nothing. */
export interface SentNotices extends NoticeOutcomes {
  readonly stuck: ReadonlySet<string>;
}

/** Sends notices of any mailboxes but those of `held`, each mailbox's in order and all mailboxes at once. Never rejects. */
export async function sendNotices(links: Links, notices: readonly DueNotice[], held: ReadonlySet<string>): Promise<SentNotices> {
  const endsAtMs = performance.now() + ROUND_MS;
  const done: number[] = [];
  const refused: Refusal[] = [];
  const stuck = new Set<string>();
  const byMailbox = Map.groupBy(notices, ({ body }) => mailboxOf(body));
  await Promise.all(
    [...byMailbox].map(async ([mailbox, some]) => {
      for (const notice of some) {
        const outcome = held.has(mailbox) || performance.now() > endsAtMs ? "later" : await sendNotice(links, notice);
        if (outcome === "later") {
          stuck.add(mailbox);
          break;
        }
        if (outcome === "taken") done.push(notice.n);
        else refused.push({ n: notice.n, mailbox, status: outcome.status, error: outcome.error, isUncertain: outcome.isUncertain });
      }
    }),
  );
  return { done, refused, stuck };
}

/**
 * Hands a notice to a node, and where that refuses it to the others. It counts there as its client's; where no node takes this gateway's word
 * for that, as the gateway's own. `later` while none can be reached, or takes any now.
 */
export async function sendNotice(links: Links, notice: Notice): Promise<"taken" | "later" | NoticeRefusal> {
  const { kind, body, client } = notice;
  if (client !== null || kind === "deletion") {
    const response = await post(links, rawEndpoints.takeOfClient.path, clientBody(notice));
    if (response === undefined || !isUnknownWay(response)) return outcomeOf(response);
  }
  let response = await post(links, NOTICE_PATHS[kind], body);
  // It waited until the chain was far from the height that its owner signed: nodes of this operator take the gateway's word for the time.
  if (kind !== "envelope" && response !== undefined && isRefusal(response))
    response = await post(links, rawEndpoints.takeSigned.path, `{"${kind}":${body}}`);
  return outcomeOf(response);
}

/** True for a response by which a node refuses what it was asked; others say that it is full, busy, or does not know this gateway. */
export function isRefusal({ status, text }: Pick<NodeResponse, "status" | "text">): boolean {
  return status === 200 ? saidIn(text).status === "refused" : status >= 400 && status < 500 && status !== UNKNOWN && status !== TOO_MANY;
}

/** Undefined while none can be reached. */
async function post(links: Links, path: string, body: string): Promise<NodeResponse | undefined> {
  const request = { method: "POST", body, headers: { "content-type": "application/json" }, refuses: isRefusal };
  return await links.request(path, request).catch(() => undefined);
}

/** The node is of an earlier version, keeps no mail of others, or has another token. */
function isUnknownWay({ status }: NodeResponse): boolean {
  return status === UNKNOWN || status === NOT_THERE;
}

function clientBody({ kind, body, client }: Notice): string {
  const named = client === null ? "" : `"client":${JSON.stringify(client)},`;
  return `{${named}${kind === "envelope" ? body.slice(1) : `"${kind}":${body}}`}`;
}

function outcomeOf(response: NodeResponse | undefined): "taken" | "later" | NoticeRefusal {
  if (response === undefined) return "later";
  if (!isRefusal(response)) return response.status === 200 ? "taken" : "later";
  const { code, error, retry_after_s: retryAfterS } = saidIn(response.text);
  return {
    status: typeof code === "number" ? code : response.status,
    error: typeof error === "string" ? error : `The node answered ${response.status}`,
    isUncertain: response.isUncertain === true,
    ...(typeof retryAfterS === "number" && { retryAfterS }),
  };
}

function saidIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    // Of a proxy before the node.
    return {};
  }
}

function mailboxOf(body: string): string {
  const { envelope, pub } = JSON.parse(body) as { readonly envelope?: { readonly recipient_pub: string }; readonly pub?: string };
  return envelope?.recipient_pub ?? pub ?? "";
}
