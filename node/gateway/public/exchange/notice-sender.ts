// Hands notices of clients to a node, in order within a mailbox. What a node refuses is the client's, who was acknowledged: it is not dropped.
import type { NoticeOutcomes } from "#node/storage/mailbox/sharing/postgres/mail/network-positions.ts";
import type { DueNotice, Refusal } from "#node/storage/mailbox/sharing/postgres/mail/refused-notices.ts";
import type { Notice } from "#node/storage/mailbox/sharing/postgres/view/view-changes.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { ROUTES } from "#shared/api/routes.ts";
import { ROUND_MS } from "../gateway-limits.ts";
import type { NodeLinks, NodeResponse } from "../node-links.ts";

export const NOTICE_PATHS = {
  envelope: ROUTES.broadcastEnvelope[1],
  deletion: ROUTES.deleteEnvelopes[1],
  opening: ROUTES.openBox[1],
} as const satisfies Readonly<Record<Notice["kind"], string>>;

type Links = Pick<NodeLinks, "request">;

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
        else refused.push({ n: notice.n, mailbox, ...outcome });
      }
    }),
  );
  return { done, refused, stuck };
}

/** Posts a body to a node, and where that refuses it to the others; undefined while none can be reached. */
export async function post(links: Links, path: string, body: string): Promise<NodeResponse | undefined> {
  const request = { method: "POST", body, headers: { "content-type": "application/json" }, refuses: isRefusal };
  return await links.request(path, request).catch(() => undefined);
}

/** True for a response by which a node refuses what it was asked; others say that it is full, busy, or does not know this gateway. */
export function isRefusal({ status }: Pick<NodeResponse, "status">): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 429;
}

/** The text that a node gave with a refusal. */
export function errorOf({ status, text }: NodeResponse): string {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown };
    if (typeof error === "string") return error;
  } catch {
    // Of a proxy before the node.
  }
  return `The node answered ${status}`;
}

async function sendNotice(links: Links, { kind, body }: Notice): Promise<"taken" | "later" | Omit<Refusal, "n" | "mailbox">> {
  let response = await post(links, NOTICE_PATHS[kind], body);
  // It waited until the chain was far from the height that its owner signed: nodes of this operator take the gateway's word for the time.
  if (kind !== "envelope" && response !== undefined && isRefusal(response))
    response = await post(links, rawEndpoints.takeSigned.path, `{"${kind}":${body}}`);
  if (response?.status === 200) return "taken";
  if (response === undefined || !isRefusal(response)) return "later";
  return { status: response.status, error: errorOf(response), isUncertain: response.isUncertain === true };
}

function mailboxOf(body: string): string {
  const { envelope, pub } = JSON.parse(body) as { readonly envelope?: { readonly recipient_pub: string }; readonly pub?: string };
  return envelope?.recipient_pub ?? pub ?? "";
}
