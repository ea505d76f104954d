// Content security policy of everything the shell serves.

/** Which nodes a page may talk to. */
export interface ReachableNodes {
  /** The node's port on loopback. */
  readonly nodePort: number;
  /** Sources of another node that the person chose. */
  readonly others: readonly string[];
}

/** Policy of a document or script; the keyring worker alone may compile WebAssembly (Argon2id). */
export function contentSecurityPolicy(pathname: string, { nodePort, others }: ReachableNodes): string {
  const script = isKeyringWorker(pathname) ? "script-src 'self' 'wasm-unsafe-eval'" : "script-src 'self'";
  return [
    "default-src 'none'",
    script,
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "media-src blob:",
    "font-src 'self'",
    ["connect-src 'self'", `ws://127.0.0.1:${nodePort}`, ...others].join(" "),
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types default",
  ].join("; ");
}

function isKeyringWorker(pathname: string): boolean {
  return /^\/assets\/keyring-worker-[\w-]+\.js$/.test(pathname);
}
