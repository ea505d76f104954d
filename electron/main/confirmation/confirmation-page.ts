// The document of the confirmation window: an origin of its own, no script, no network. Its preload script puts in what is decided.

/** Scheme and host of the window's document; the interface has another host and can neither open nor embed this one. */
export const CONFIRMATION_ORIGIN = "app://confirmation";

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const DOCUMENT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Parley</title><link rel="stylesheet" href="/confirmation.css"></head>
<body></body>
</html>
`;

const STYLE = `
:root { color-scheme: light dark; --text: #1c1b19; --muted: #5d5a54; --canvas: #fbfaf8; --line: #d9d6cf; --accent: #2f5fd0; --focus: #2f5fd0; }
@media (prefers-color-scheme: dark) {
  :root { --text: #f1efe9; --muted: #aaa69d; --canvas: #191816; --line: #3b3934; --accent: #8fb0ff; --focus: #8fb0ff; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--canvas); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { display: flex; flex-direction: column; gap: 16px; min-height: 100vh; padding: 24px; }
h1 { margin: 0; font-size: 20px; line-height: 1.3; }
p { margin: 0; }
.source { color: var(--muted); font-size: 13px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 8px 16px; margin: 0; padding: 12px 0; border: solid var(--line); border-width: 1px 0; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; unicode-bidi: isolate; }
footer { display: flex; justify-content: flex-end; gap: 12px; margin-top: auto; }
button { min-width: 112px; min-height: 40px; padding: 8px 16px; border: 1px solid var(--line); border-radius: 8px; background: transparent; color: var(--text); font: inherit; }
button.agree { border-color: var(--accent); color: var(--accent); }
button:disabled { opacity: 0.5; }
button:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
`;

/** True for an address of the window's document. */
export function isConfirmationUrl(text: string): boolean {
  return URL.canParse(text) && `${new URL(text).protocol}//${new URL(text).host}` === CONFIRMATION_ORIGIN;
}

/** Serves the document and its style, and nothing else. */
export function serveConfirmation(url: string): Response {
  const { pathname } = new URL(url);
  const file = { "/": [DOCUMENT, "text/html"], "/confirmation.css": [STYLE, "text/css"] }[pathname];
  if (file === undefined) return new Response("Not found", { status: 404 });
  const [body = "", type = ""] = file;
  return new Response(body, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "content-security-policy": POLICY,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
    },
  });
}
