// Permissions of web content: denied unless listed. Clipboard writing serves the copy buttons, the microphone voice notes.
import { isAppUrl } from "./trusted-url.ts";

const ALLOWED: readonly string[] = ["clipboard-sanitized-write"];

/**
 * True when the interface itself asks for a permission of the list, or for sound alone.
 * @param mediaTypes what "media" is asked for: "audio", "video"
 */
export function isPermissionAllowed(permission: string, requestingUrl: string, mediaTypes: readonly string[] = []): boolean {
  const isMicrophone = permission === "media" && mediaTypes.length > 0 && mediaTypes.every((type) => type === "audio");
  return (ALLOWED.includes(permission) || isMicrophone) && isAppUrl(requestingUrl);
}
