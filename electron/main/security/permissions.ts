// Permissions of web content: denied unless listed. Clipboard writing serves the copy buttons.
import { isAppUrl } from "./trusted-url.ts";

const ALLOWED: readonly string[] = ["clipboard-sanitized-write"];

/** True when the interface itself asks for a permission of the list. */
export function isPermissionAllowed(permission: string, requestingUrl: string): boolean {
  return ALLOWED.includes(permission) && isAppUrl(requestingUrl);
}
