// Which addresses may be opened outside of the app: web pages over TLS, without a name and password in them.

/** The address, or undefined when it must not be opened. The host is in its ASCII form, so that look-alike letters show. */
export function safeLink(text: string): { readonly href: string; readonly host: string } | undefined {
  try {
    const url = new URL(text.trim());
    if (url.protocol !== "https:" || url.username !== "" || url.password !== "") return undefined;
    return { href: url.href, host: url.host };
  } catch {
    return undefined;
  }
}
