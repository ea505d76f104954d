// What dishonest validators make of parts.
import { decodePartMessage, encodePartMessage, type PartMessage } from "#node/network/traffic/parts/part-codec.ts";

/** The frame that a receiver gets instead; nothing, when it is withheld. */
export type Falsify = (frame: Uint8Array, to: number) => Uint8Array | undefined;

function onParts(change: (part: Extract<PartMessage, { readonly type: "part" }>, to: number) => PartMessage | undefined): Falsify {
  return (frame, to) => {
    const message = decodePartMessage(frame);
    if (message?.type !== "part") return frame;
    const changed = change(message, to);
    return changed === undefined ? undefined : encodePartMessage(changed);
  };
}

/** One lie a validator. */
export const FALSIFIERS: readonly Falsify[] = [
  onParts((part) => ({ ...part, bytes: part.bytes.map((byte) => byte ^ 1) })),
  onParts((part) => ({ ...part, siblings: part.siblings.map((sibling) => sibling.map((byte) => byte ^ 1)) })),
  onParts((part) => ({ ...part, index: part.index ^ 1 })),
  onParts((part, to) => (to % 3 === 0 ? part : undefined)),
  onParts(() => undefined),
];
