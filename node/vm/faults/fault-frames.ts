// Where in a metered module the engine was when an error arose, by what the error says of its stack. The words are the engine's own: they
// are shown to authors and decide nothing.

/** A function of the metered module and a position in its bytes. */
export interface FaultFrame {
  readonly functionIndex: number;
  readonly at: number;
}

/** Most frames that are looked at. */
const MAX_FRAMES = 8;
const FRAME = /(wasm:\/\/wasm\/[^\s:]*):wasm-function\[(\d{1,9})\]:0x([0-9a-f]{1,8})/g;

/** Frames of the module that ran when the error arose, from the inside out; none where the engine does not say. */
export function framesOf(error: Error): readonly FaultFrame[] {
  const frames: FaultFrame[] = [];
  let innermost: string | undefined;
  for (const [, module, index, at] of (error.stack ?? "").matchAll(FRAME)) {
    innermost ??= module;
    // Behind it come contracts that called this one.
    if (module !== innermost || frames.length === MAX_FRAMES) break;
    frames.push({ functionIndex: Number(index), at: Number.parseInt(at ?? "0", 16) });
  }
  return frames;
}
