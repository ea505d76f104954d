// The document of the approval window: an origin of its own, no script, no network. Its preload script draws what the keyring says.
import { WINDOW_POLICY, WINDOW_STYLE } from "./confirmation-page.ts";

/** Scheme and host of the window's document; it is served in the window's own session alone. */
export const APPROVAL_ORIGIN = "app://approval";
/** Session of the window: kept in memory, shared with nothing. */
export const APPROVAL_PARTITION = "approval";

const DOCUMENT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Parley</title><link rel="stylesheet" href="/approval.css"></head>
<body></body>
</html>
`;

const STYLE = `${WINDOW_STYLE}
.program { display: flex; gap: 16px; align-items: flex-start; }
.picture { flex: none; width: 48px; height: 48px; border-radius: 8px; }
.amount { font-size: 28px; font-weight: 600; line-height: 48px; font-variant-numeric: tabular-nums; }
fieldset { display: flex; flex-direction: column; gap: 12px; min-width: 0; margin: 0; padding: 12px 0 0; border: solid var(--line); border-width: 1px 0 0; }
.scopes { padding-bottom: 12px; border-bottom-width: 1px; }
.several { max-height: 168px; overflow-y: auto; gap: 4px; }
.details { display: flex; flex-direction: column; gap: 8px; margin: 4px 0 0 28px; }
[hidden] { display: none; }
legend { padding: 0; color: var(--muted); font-size: 13px; }
.tick { display: flex; gap: 8px; align-items: baseline; overflow-wrap: anywhere; unicode-bidi: isolate; }
.tick input { flex: none; width: 20px; height: 20px; margin: 0; translate: 0 4px; accent-color: var(--accent); }
.tick span { min-width: 0; }
.line { display: flex; flex-direction: column; gap: 4px; color: var(--muted); font-size: 13px; }
.line input { width: 100%; min-height: 40px; padding: 8px 12px; border: 1px solid var(--line-strong); border-radius: 8px; background: var(--raised); color: var(--text); font: inherit; font-size: 15px; }
.line input.code { font-size: 24px; letter-spacing: 0.2em; font-variant-numeric: tabular-nums; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; align-items: end; }
.plain { margin: 0; padding-left: 20px; overflow-wrap: anywhere; }
.strong { font-weight: 600; }
.alert:empty { display: none; }
.alert { padding: 8px 12px; border-radius: 8px; background: var(--raised); border: 1px solid var(--line-strong); }
input:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
`;

/** True for an address of the window's document. */
export function isApprovalUrl(text: string): boolean {
  return URL.canParse(text) && `${new URL(text).protocol}//${new URL(text).host}` === APPROVAL_ORIGIN;
}

/** Serves the document and its style, and nothing else. */
export function serveApproval(url: string): Response {
  const file = isApprovalUrl(url)
    ? { "/": [DOCUMENT, "text/html"], "/approval.css": [STYLE, "text/css"] }[new URL(url).pathname]
    : undefined;
  if (file === undefined) return new Response("Not found", { status: 404 });
  const [body = "", type = ""] = file;
  return new Response(body, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "content-security-policy": WINDOW_POLICY,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
    },
  });
}
