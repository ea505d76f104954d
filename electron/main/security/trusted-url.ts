// Which addresses the shell trusts. Parsed, never matched as text.

/** Scheme and host under which the shell serves the interface. */
export const APP_ORIGIN = "app://parley";

/** True for an address of the interface itself. */
export function isAppUrl(text: string): boolean {
  const url = parse(text);
  return url !== undefined && url.protocol === "app:" && url.host === "parley" && url.username === "" && url.password === "";
}

/** True for an address that may be handed to the system's browser after the person agreed: https only, no credentials. */
export function isExternalUrl(text: string): boolean {
  const url = parse(text);
  return url !== undefined && url.protocol === "https:" && url.username === "" && url.password === "" && url.hostname !== "";
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
