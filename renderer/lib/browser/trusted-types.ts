// Trusted types: the browser refuses every text that would become code, but the addresses of the interface's own workers.

/** Paths of built workers. */
const OWN_SCRIPT = /^\/assets\/[\w.-]+\.js$/;

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown;
}

/** Call once, before the first worker is started. Browsers without trusted types start workers as ever. */
export function allowOwnWorkers(): void {
  const factory = (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes;
  factory?.createPolicy("default", { createScriptURL: checkWorkerUrl });
}

/** The address itself. @throws TypeError when it is not one of the interface's own scripts. */
function checkWorkerUrl(url: string): string {
  const { origin, pathname, href } = new URL(url, location.href);
  if (origin !== location.origin || !OWN_SCRIPT.test(pathname)) throw new TypeError("Not a script of the interface");
  return href;
}
