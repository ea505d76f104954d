// The document of the confirmation window: an origin of its own, no script, no network. Its preload script puts in what is decided.

/** Scheme and host of the window's document; the interface has another host and can neither open nor embed this one. */
export const CONFIRMATION_ORIGIN = "app://confirmation";

/** Policy of the shell's own windows. */
export const WINDOW_POLICY = [
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

/** Colours of the interface's tokens; its style sheet belongs to the page, so they are repeated here. */
export const WINDOW_STYLE = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(oklch(0.99 0.003 85), oklch(0.225 0.01 240));
  --raised: light-dark(oklch(1 0 0), oklch(0.31 0.014 240));
  --line: light-dark(oklch(0.895 0.007 85), oklch(0.318 0.012 240));
  --line-strong: light-dark(oklch(0.64 0.012 240), oklch(0.56 0.016 240));
  --text: light-dark(oklch(0.245 0.018 240), oklch(0.945 0.006 240));
  --muted: light-dark(oklch(0.455 0.018 240), oklch(0.755 0.013 240));
  --accent: light-dark(oklch(0.455 0.093 224), oklch(0.815 0.095 208));
  --focus: light-dark(oklch(0.55 0.12 225), oklch(0.8 0.11 208));
}
* { box-sizing: border-box; }
/* What is scrolled to stays above the buttons. */
html { scroll-padding-bottom: 88px; }
body { margin: 0; background: var(--canvas); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { display: flex; flex-direction: column; gap: 16px; min-height: 100vh; padding: 24px; }
h1 { margin: 0; font-size: 20px; line-height: 1.3; text-wrap: balance; }
p { margin: 0; }
.source { color: var(--muted); font-size: 13px; }
dl { display: grid; grid-template-columns: minmax(96px, max-content) 1fr; gap: 8px 16px; margin: 0; padding: 12px 0; border: solid var(--line); border-width: 1px 0; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; unicode-bidi: isolate; }
footer { position: sticky; bottom: 0; display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 12px; margin: auto -24px -24px; padding: 16px 24px; background: var(--canvas); }
button { min-width: 112px; min-height: 40px; padding: 8px 16px; border: 1px solid var(--line-strong); border-radius: 8px; background: var(--raised); color: var(--text); font: inherit; }
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
  const file = { "/": [DOCUMENT, "text/html"], "/confirmation.css": [WINDOW_STYLE, "text/css"] }[pathname];
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
