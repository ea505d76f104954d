// Cuts a font down to some characters, with all that they are drawn of alone and joined: HarfBuzz, as WebAssembly without imports. Builds of
// it from 0.4.9 on lose the colours.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The runtime's own, of which the types of Node.js say nothing. */
declare const WebAssembly: { instantiate(code: Uint8Array): Promise<{ readonly instance: { readonly exports: unknown } }> };

/** Numbers are addresses in its memory, unless a name says otherwise. */
interface HarfBuzz {
  readonly memory: { readonly buffer: ArrayBuffer };
  _initialize(): void;
  malloc(bytes: number): number;
  hb_blob_create(data: number, bytes: number, mode: number, user: number, destroy: number): number;
  hb_blob_destroy(blob: number): void;
  hb_blob_get_data(blob: number, length: number): number;
  hb_blob_get_length(blob: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_destroy(face: number): void;
  hb_face_reference_blob(face: number): number;
  hb_set_add(set: number, value: number): void;
  hb_set_clear(set: number): void;
  hb_set_invert(set: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_destroy(input: number): void;
  hb_subset_input_set(input: number, which: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_input_unicode_set(input: number): number;
  hb_subset_or_fail(face: number, input: number): number;
  hb_subset_preprocess(face: number): number;
}

/** The program, whose bytes are part of what a cut font depends on. */
export const CUTTER_PROGRAM = fileURLToPath(import.meta.resolve("harfbuzzjs/hb-subset.wasm"));

/** HB_MEMORY_MODE_WRITABLE: the bytes are in its own memory. */
const WRITABLE = 2;
/** HB_SUBSET_SETS_LAYOUT_FEATURE_TAG */
const FEATURES = 6;
/** HB_SUBSET_FLAGS_NO_HINTING */
const NO_HINTS = 1;

/** Makes a cutter of one plain OpenType font: it gives plain OpenType fonts. @throws Error when HarfBuzz cannot. */
export async function fontCutter(font: Uint8Array): Promise<(codes: Iterable<number>) => Uint8Array> {
  const { instance } = await WebAssembly.instantiate(readFileSync(CUTTER_PROGRAM));
  const harfbuzz = instance.exports as HarfBuzz;
  harfbuzz._initialize();
  const at = harfbuzz.malloc(font.length);
  new Uint8Array(harfbuzz.memory.buffer).set(font, at);
  const face = harfbuzz.hb_subset_preprocess(harfbuzz.hb_face_create(harfbuzz.hb_blob_create(at, font.length, WRITABLE, 0, 0), 0));
  return (codes) => {
    const input = harfbuzz.hb_subset_input_create_or_fail();
    const characters = harfbuzz.hb_subset_input_unicode_set(input);
    for (const code of codes) harfbuzz.hb_set_add(characters, code);
    const features = harfbuzz.hb_subset_input_set(input, FEATURES);
    harfbuzz.hb_set_clear(features);
    harfbuzz.hb_set_invert(features);
    harfbuzz.hb_subset_input_set_flags(input, NO_HINTS);
    const cut = harfbuzz.hb_subset_or_fail(face, input);
    harfbuzz.hb_subset_input_destroy(input);
    if (cut === 0) throw new Error("The font cannot be cut");
    const blob = harfbuzz.hb_face_reference_blob(cut);
    const start = harfbuzz.hb_blob_get_data(blob, 0);
    const bytes = new Uint8Array(harfbuzz.memory.buffer).slice(start, start + harfbuzz.hb_blob_get_length(blob));
    harfbuzz.hb_blob_destroy(blob);
    harfbuzz.hb_face_destroy(cut);
    return bytes;
  };
}
