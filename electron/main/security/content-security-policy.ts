// Content security policy of everything the shell serves.

/** Policy of a document or script; the keyring worker alone may compile WebAssembly (Argon2id). `nodePort` is the node's port on loopback. */
export function contentSecurityPolicy(pathname: string, nodePort: number): string {
  const script = isKeyringWorker(pathname) ? "script-src 'self' 'wasm-unsafe-eval'" : "script-src 'self'";
  return [
    "default-src 'none'",
    script,
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    `connect-src 'self' ws://127.0.0.1:${nodePort}`,
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
