// Permissions of web content: denied unless listed. Clipboard writing serves the copy buttons; the microphone voice messages and calls, the
// camera calls and scanning a code.
import { isAppUrl } from "./trusted-url.ts";

const ALLOWED: readonly string[] = ["clipboard-sanitized-write"];
const DEVICES: readonly string[] = ["audio", "video"];

/**
 * True when the interface itself asks for a permission of the list, or for microphone and camera alone.
 * @param mediaTypes what "media" is asked for: "audio", "video"
 */
export function isPermissionAllowed(permission: string, requestingUrl: string, mediaTypes: readonly string[] = []): boolean {
  const isDevice = permission === "media" && mediaTypes.length > 0 && mediaTypes.every((type) => DEVICES.includes(type));
  return (ALLOWED.includes(permission) || isDevice) && isAppUrl(requestingUrl);
}
