// Which links are shown with a preview: pages of the public network, by their names.
import { safeLink } from "#renderer/lib/browser/safe-link.ts";
import { isPublicName, type LinkPreview } from "#shared/content/chat/link-preview.ts";

/** The host in its ASCII form, with a port where there is one; undefined for a link that has no preview. */
export function hostOfLink(link: string): string | undefined {
  const host = safeLink(link)?.host;
  return host !== undefined && isPublicName(host.replace(/:\d+$/, "")) ? host : undefined;
}

/** Two lines are enough for it. */
export function isShort({ description, picture }: LinkPreview): boolean {
  return description === "" && picture === "";
}
