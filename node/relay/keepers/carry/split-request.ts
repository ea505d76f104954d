// A request to a keeper in parts of one box each, as they go through different carriers, and one response of theirs. A keeper that is
// asked for one box at a time does not learn which boxes belong together.
import { keptWireBytes } from "#node/network/wire/mail-codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { AskedBox, BoxPage, KeptEnvelope, MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import type { CarryLimits } from "./carry-limits.ts";

/** Requests that carriers take. What keepers ask each other is theirs alone. */
export type CarriedMailRequest = Extract<
  MailRequest,
  { readonly type: "put" | "open" | "get" | "delete" | "fetch" | "watch" | "typing" | "card" }
>;

/** What is asked of one box. */
export interface RequestPart {
  readonly box: X25519KeyHex;
  readonly request: CarriedMailRequest;
}

type Get = Extract<MailRequest, { readonly type: "get" }>;
type Page = Extract<MailResponse, { readonly type: "page" }>;

const CARRIED: ReadonlySet<MailRequest["type"]> = new Set(["put", "open", "get", "delete", "fetch", "watch", "typing", "card"]);

/** True for a request that carriers take. */
export function isCarried(request: MailRequest): request is CarriedMailRequest {
  return CARRIED.has(request.type) && !(request.type === "typing" && request.isNews);
}

/** Parts in the order in which boxes are named. */
export function splitRequest(request: CarriedMailRequest): readonly RequestPart[] {
  switch (request.type) {
    case "put":
      return [...grouped(request.items, ({ envelope }) => envelope.recipient_pub)].map(([box, items]) => {
        const openings = request.openings.filter(({ mailbox }) => mailbox === box);
        return { box, request: { ...request, items, openings } };
      });
    case "open":
      return [...grouped(request.openings, ({ mailbox }) => mailbox)].map(([box, openings]) => ({
        box,
        request: { ...request, openings },
      }));
    case "get":
      return request.boxes.map((asked) => ({ box: asked.box, request: { ...request, boxes: [asked] } }));
    case "delete":
      return [...grouped(request.notices, ({ mailbox }) => mailbox)].map(([box, notices]) => ({ box, request: { ...request, notices } }));
    case "fetch":
      return [...grouped(request.places, ({ box }) => box)].map(([box, places]) => ({ box, request: { ...request, places } }));
    case "watch":
      return request.boxes.map((box) => ({ box, request: { type: "watch", boxes: [box], isMore: true } }));
    case "typing":
      return [{ box: request.to, request }];
    case "card":
      return [{ box: request.device, request }];
  }
}

/**
 * Asks all parts, some at once, and puts together what comes. A part that fails takes nothing from the others: what it was about was not
 * taken, or follows with the next request. @throws CodedError of the first part when all fail
 */
export async function askParts(
  request: CarriedMailRequest,
  ask: (part: RequestPart) => Promise<MailResponse>,
  limits: Pick<CarryLimits, "partsAtOnce" | "mergedBytes">,
): Promise<MailResponse> {
  const parts = splitRequest(request);
  const { responses, problem } = await askSome(parts, ask, limits);
  const came = responses.filter((response) => response !== undefined);
  if (came.length === 0) throw problem ?? new CodedError("UPSTREAM_FAILED", "Nothing was asked");
  if (request.type === "get") return mergePages(request, responses);
  // What is done in part is not done: who asks does so again.
  const isWhole = came.length === parts.length || request.type === "put" || request.type === "fetch";
  if (!isWhole) throw problem;
  return merge(came);
}

/** Responses in the order of the parts, as far as there is room for them; undefined for those that failed. */
async function askSome(
  parts: readonly RequestPart[],
  ask: (part: RequestPart) => Promise<MailResponse>,
  { partsAtOnce, mergedBytes }: Pick<CarryLimits, "partsAtOnce" | "mergedBytes">,
): Promise<{ readonly responses: readonly (MailResponse | undefined)[]; readonly problem: unknown }> {
  const responses: (MailResponse | undefined)[] = [];
  let problem: unknown;
  let bytes = 0;
  for (let at = 0; at < parts.length && bytes < mergedBytes; at += partsAtOnce)
    for (const outcome of await Promise.allSettled(parts.slice(at, at + partsAtOnce).map(ask))) {
      const response = outcome.status === "fulfilled" ? outcome.value : undefined;
      if (outcome.status === "rejected") problem ??= outcome.reason;
      bytes += bytesOf(response);
      responses.push(response);
    }
  return { responses, problem };
}

/** Those of which one response came; those that only refused count where nothing else came. */
function merge(came: readonly MailResponse[]): MailResponse {
  const useful = came.filter(({ type }) => type !== "busy" && type !== "wrongKeeper");
  const [first] = useful;
  // A keeper leaves out what is not its to keep, and is busy for all or for none.
  const busy = came.find(({ type }) => type === "busy");
  if (first === undefined) return busy ?? (came[0] as MailResponse);
  if (first.type === "receipts")
    return { type: "receipts", receipts: useful.flatMap((each) => (each.type === "receipts" ? each.receipts : [])) };
  if (first.type === "mail") {
    const mails = useful.flatMap((each) => (each.type === "mail" ? [each] : []));
    const [items, openings, deletions] = [
      mails.flatMap((each) => each.items),
      mails.flatMap((each) => each.openings),
      mails.flatMap((each) => each.deletions),
    ];
    return { type: "mail", items, openings, deletions };
  }
  return busy ?? first;
}

/** Boxes of which nothing came say that more follows, from where it was asked. */
function mergePages(request: Get, responses: readonly (MailResponse | undefined)[]): MailResponse {
  const pages = responses.map((response) => (response?.type === "page" ? response : undefined));
  const scope = pages.find((page) => page !== undefined)?.scope;
  if (scope === undefined) return merge(responses.filter((response) => response !== undefined));
  const boxes: BoxPage[] = [];
  const items: KeptEnvelope[] = [];
  for (const [at, asked] of request.boxes.entries()) {
    const page = pages[at];
    if (responses[at]?.type === "wrongKeeper") continue;
    // One of another run of the keeper is asked for again.
    if (page?.scope !== scope) boxes.push(nothingOf(asked, request.scope === scope));
    else {
      boxes.push(...page.boxes);
      items.push(...page.items);
    }
  }
  return { type: "page", scope, boxes, items } satisfies Page;
}

/** Positions count in one run of the keeper only. */
function nothingOf({ box, after, afterDeletion }: AskedBox, isSameRun: boolean): BoxPage {
  const [lastSeq, lastDeletion] = isSameRun ? [after, afterDeletion] : [0, 0];
  return { box, ids: [], lastSeq, opening: null, deletions: [], lastDeletion, hasMore: true };
}

function bytesOf(response: MailResponse | undefined): number {
  if (response?.type !== "page" && response?.type !== "mail") return 0;
  return response.items.reduce((sum, item) => sum + keptWireBytes(item), 0);
}

function grouped<T>(some: readonly T[], boxOf: (item: T) => X25519KeyHex): ReadonlyMap<X25519KeyHex, readonly T[]> {
  const groups = new Map<X25519KeyHex, T[]>();
  for (const item of some) {
    const group = groups.get(boxOf(item));
    if (group === undefined) groups.set(boxOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
