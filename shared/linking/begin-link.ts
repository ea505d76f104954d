// Begins a linking on either device.
import { boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import type { Timers } from "#shared/util/clock.ts";
import type { LinkHost } from "./link-channel.ts";
import { createLinkCode, parseLinkCode } from "./link-code.ts";
import { rendezvousMailboxes } from "./link-keys.ts";
import type { NewDevice } from "./link-message.ts";
import { LinkRun } from "./link-run.ts";
import { askForLink, type NewDeviceInput, type NewDeviceState, stepNewDevice } from "./new-device.ts";
import { createLinkOffer, type OldDeviceInput, type OldDeviceState, stepOldDevice } from "./old-device.ts";

/** The old device's end at work. */
export type OldDeviceRun = LinkRun<OldDeviceState, Exclude<OldDeviceInput, { readonly kind: "message" | "time" }>>;
/** The new device's end at work. */
export type NewDeviceRun = LinkRun<NewDeviceState, Exclude<NewDeviceInput, { readonly kind: "message" | "time" }>>;

type Host = LinkHost & { readonly timers: Timers };

const KEY_BYTES = 32;

/** Draws a code and waits for the device that uses it. */
export function showLinkCode(host: Host): { readonly code: string; readonly run: OldDeviceRun } {
  const { node, clock, random } = host;
  const code = createLinkCode(node.chainId, random);
  const secret = parseLinkCode(code, node.chainId);
  const state = createLinkOffer({ chainId: node.chainId, secret, own: boxKeyPair(random(KEY_BYTES)) }, clock.nowMs());
  const mailboxes = rendezvousMailboxes(node.chainId, secret);
  const run = new LinkRun({ host, side: "old", mailboxes, begin: { state, send: [] }, step: stepOldDevice });
  run.start();
  return { code, run };
}

/** Asks the device that shows a code to link this one. @throws CodedError LINK_CODE_INVALID, LINK_OTHER_NETWORK. */
export function enterLinkCode(host: Host, code: string, device: NewDevice): NewDeviceRun {
  const { node, clock, random } = host;
  const secret = parseLinkCode(code, node.chainId);
  const begin = askForLink({ chainId: node.chainId, secret, device }, clock.nowMs(), random);
  const mailboxes = rendezvousMailboxes(node.chainId, secret);
  const run = new LinkRun({ host, side: "fresh", mailboxes, begin, step: stepNewDevice });
  run.start();
  return run;
}
