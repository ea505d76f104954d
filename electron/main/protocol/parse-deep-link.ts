// `parley:` links from outside the app. A link only ever opens a view with something filled in; it never acts.
import { formatAddress, parseAccount } from "#shared/protocol/primitives/address.ts";

/** Longest link that is looked at. */
const MAX_LINK_CHARS = 2_048;
const INVITATION = /^#[A-Za-z0-9_-]{1,512}$/;
const TRANSACTION_ID = /^[A-Za-z0-9_:.-]{1,128}$/;

/**
 * View of a link, as a path of the interface; undefined when it is not one that Parley knows.
 * - `parley:pay?to=…&amount=…` opens the send form, which reads and checks the link itself.
 * - `parley:contact?id=<address>` opens the form for a new contact with that person filled in.
 * - `parley:tx?id=<transaction id>` opens that transaction.
 * - `parley:group#<invitation>` shows the invite link of a group, which the view reads and checks.
 */
export function parseDeepLink(text: string): string | undefined {
  if (text.length > MAX_LINK_CHARS || !/^parley:/i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || url.port !== "") return undefined;
  // Browsers write `parley://pay`, people `parley:pay`: the same thing.
  const kind = `${url.host}${url.pathname}`.replace(/^\/+|\/+$/g, "").toLowerCase();
  if (kind === "pay") return url.searchParams.has("to") ? `/wallet/send?${new URLSearchParams({ to: text }).toString()}` : undefined;
  if (kind === "group") return INVITATION.test(url.hash) ? `/inbox/join${url.hash}` : undefined;
  const ids = url.searchParams.getAll("id");
  const [id] = ids;
  if (ids.length !== 1 || id === undefined) return undefined;
  if (kind === "contact") return contactPath(id);
  return kind === "tx" && TRANSACTION_ID.test(id) ? `/explorer/tx/${encodeURIComponent(id)}` : undefined;
}

/** The first `parley:` link among the arguments that a second start of the app was given. */
export function deepLinkOfArguments(args: readonly string[]): string | undefined {
  return args.find((arg) => /^parley:/i.test(arg));
}

function contactPath(id: string): string | undefined {
  try {
    return `/contacts/new?to=${formatAddress(parseAccount(id))}`;
  } catch {
    return undefined;
  }
}
