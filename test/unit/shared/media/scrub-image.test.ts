// Metadata goes, the picture stays: byte for byte what a clean file of the same picture holds.

import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CodedError } from "#shared/errors/coded-error.ts";
import { readOrientation } from "#shared/media/exif-orientation.ts";
import { MAX_IMAGE_BYTES, scrubImage } from "#shared/media/scrub-image.ts";
import * as sample from "#test/support/host/sample-images.ts";
import { extent } from "#test/support/host/test-extent.ts";

const ORIENTATIONS = [undefined, 1, 2, 3, 4, 5, 6, 7, 8] as const;
const SAMPLES: readonly (readonly [string, Buffer])[] = [
  ["JPEG", sample.jpeg(6)],
  ["upright JPEG", sample.jpeg(1)],
  ["PNG", sample.png(3)],
  ["WebP", sample.webp(8)],
  ["GIF", sample.gif()],
];

const scrub = (bytes: Uint8Array): Buffer => Buffer.from(scrubImage(bytes).bytes);

/** TIFF that holds an orientation only: what is expected of a turned picture. */
const turned = (orientation: number): Buffer =>
  Buffer.from([77, 77, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]);

const isTurned = (orientation: number | undefined): orientation is number => orientation !== undefined && orientation !== 1;

describe("every format", () => {
  it.each(SAMPLES)("%s loses all metadata and stays what it is when scrubbed again", (_name, bytes) => {
    expect(bytes.includes(sample.SECRET)).toBe(true);
    const once = scrubImage(bytes);
    expect(Buffer.from(once.bytes).includes(sample.SECRET)).toBe(false);
    expect(scrubImage(once.bytes)).toEqual(once);
  });

  it.each(SAMPLES)("%s that is cut off anywhere is refused", (_name, bytes) => {
    const whole = scrub(bytes);
    for (let length = 0; length < whole.length; length += 1) expect(() => scrubImage(whole.subarray(0, length))).toThrow(CodedError);
  });

  it.each(SAMPLES)("%s is recognised by its bytes", (name, bytes) => {
    expect(scrubImage(bytes).type).toBe(`image/${name.split(" ").at(-1)?.toLowerCase()}`);
  });

  it.each(["", "x", "<svg xmlns='http://www.w3.org/2000/svg'/>", "BM\0\0", "RIFF\0\0\0\0WAVE", "GIF88a", "\0\0\0\x18ftypavif"])(
    "%j is none that can be scrubbed",
    (bytes) => expect(() => scrubImage(Buffer.from(bytes, "latin1"))).toThrow(expect.objectContaining({ code: "UNSUPPORTED_MEDIA_TYPE" })),
  );

  it("is refused above the largest size before it is read", () => {
    const huge = new Uint8Array(MAX_IMAGE_BYTES + 1);
    expect(() => scrubImage(huge)).toThrow(expect.objectContaining({ code: "PAYLOAD_TOO_LARGE" }));
  });

  it("does not change the bytes that it is given", () => {
    for (const [, bytes] of SAMPLES) {
      const before = Buffer.from(bytes);
      scrub(bytes);
      expect(bytes.equals(before)).toBe(true);
    }
  });
});

describe("a picture of more parts than are wanted", () => {
  const many = (part: Buffer): readonly Buffer[] => Array<Buffer>(100).fill(part);
  it.each<[string, readonly Buffer[], readonly Buffer[], Buffer]>([
    ["JPEG", [Buffer.from([0xff, 0xd8])], [sample.JPEG_PICTURE, sample.END_OF_JPEG], sample.segment(0xfe)],
    ["PNG", [sample.PNG_SIGNATURE, sample.PNG_HEADER], [sample.PNG_DATA, sample.PNG_END], sample.pngChunk("tEXt")],
    ["GIF", [sample.GIF_HEADER], [sample.GIF_IMAGE, Buffer.from([0x3b])], sample.gifExtension(0xfe)],
  ])("%s is refused, for each costs work", (_name, start, end, part) => {
    const bytes = Buffer.concat([...start, ...many(part), ...end]);
    expect(Buffer.from(scrubImage(bytes, 110).bytes)).toEqual(Buffer.concat([...start, ...end]));
    expect(() => scrubImage(bytes, 100)).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
  });
});

describe("a JPEG", () => {
  it.each(ORIENTATIONS.flatMap((orientation) => [[orientation, false] as const, [orientation, true] as const]))(
    "of orientation %s (little-endian: %s) keeps picture, colours and orientation only",
    (orientation, isLittle) => {
      const jfif = sample.segment(0xe0, Buffer.from("JFIF\0\x01\x02\x01\0\x48\0\x48\0\0", "latin1"));
      const exif = isTurned(orientation) ? [sample.segment(0xe1, Buffer.from("Exif\0\0", "latin1"), turned(orientation))] : [];
      const scan = sample.JPEG_PICTURE.subarray(sample.JPEG_PICTURE.lastIndexOf(Buffer.from([0xff, 0xda])));
      const clean = [Buffer.from([0xff, 0xd8]), jfif, ...exif, sample.COLOUR_PROFILE, sample.ADOBE, sample.JPEG_PICTURE, scan];
      expect(scrub(sample.jpeg(orientation, isLittle))).toEqual(Buffer.concat([...clean, sample.END_OF_JPEG]));
    },
  );

  it.each<[string, readonly Buffer[]]>([
    ["bytes between segments", [Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 2, 0x41]), sample.JPEG_PICTURE, sample.END_OF_JPEG]],
    ["a second start", [Buffer.from([0xff, 0xd8, 0xff, 0xd8]), sample.JPEG_PICTURE, sample.END_OF_JPEG]],
    ["no picture", [Buffer.from([0xff, 0xd8]), sample.END_OF_JPEG]],
    ["a scan without a frame", [Buffer.from([0xff, 0xd8]), sample.segment(0xda, Buffer.alloc(6)), sample.END_OF_JPEG]],
    ["a length of 1", [Buffer.from([0xff, 0xd8, 0xff, 0xdb, 0, 1]), sample.JPEG_PICTURE, sample.END_OF_JPEG]],
    ["a segment beyond the end", [Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0xff, 0xff]), sample.JPEG_PICTURE, sample.END_OF_JPEG]],
  ])("with %s is refused", (_name, parts) => {
    expect(() => scrubImage(Buffer.concat(parts))).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
  });
});

describe("a PNG", () => {
  it.each(ORIENTATIONS)("of orientation %s keeps picture, looks and orientation only", (orientation) => {
    const exif = isTurned(orientation) ? [sample.pngChunk("eXIf", turned(orientation))] : [];
    const clean = [sample.PNG_SIGNATURE, sample.PNG_HEADER, sample.PNG_LOOKS, ...exif, sample.PNG_DATA, sample.PNG_END];
    expect(scrub(sample.png(orientation))).toEqual(Buffer.concat(clean));
  });

  it("gives its new chunk the right checksum", () => {
    const clean = scrub(sample.png(6));
    const at = clean.indexOf("eXIf");
    expect(clean.readUInt32BE(at + 30)).toBe(crc32(clean.subarray(at, at + 30)));
  });

  it.each<[string, readonly Buffer[]]>([
    ["no header", [sample.PNG_DATA, sample.PNG_END]],
    ["a short header", [sample.pngChunk("IHDR", Buffer.alloc(12)), sample.PNG_DATA, sample.PNG_END]],
    ["two headers", [sample.PNG_HEADER, sample.PNG_HEADER, sample.PNG_DATA, sample.PNG_END]],
    ["no picture", [sample.PNG_HEADER, sample.PNG_END]],
    ["an unknown critical chunk", [sample.PNG_HEADER, sample.pngChunk("CgBI"), sample.PNG_DATA, sample.PNG_END]],
    ["a name of other characters", [sample.PNG_HEADER, sample.pngChunk("a b1"), sample.PNG_DATA, sample.PNG_END]],
    ["a full last chunk", [sample.PNG_HEADER, sample.PNG_DATA, sample.pngChunk("IEND", Buffer.from("x"))]],
    ["a chunk of 4 GB", [sample.PNG_HEADER, Buffer.from("ffffffff", "hex"), Buffer.from("tEXt"), sample.PNG_DATA, sample.PNG_END]],
  ])("with %s is refused", (_name, chunks) => {
    expect(() => scrubImage(Buffer.concat([sample.PNG_SIGNATURE, ...chunks]))).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
  });
});

describe("a WebP", () => {
  it.each(ORIENTATIONS.flatMap((orientation) => [[orientation, false] as const, [orientation, true] as const]))(
    "of orientation %s (JPEG's prefix: %s) keeps picture, colours and orientation only",
    (orientation, hasPrefix) => {
      const exif = isTurned(orientation) ? [sample.webpChunk("EXIF", turned(orientation))] : [];
      const header = sample.webpHeader(exif.length === 0 ? 0x22 : 0x2a);
      expect(scrub(sample.webp(orientation, hasPrefix))).toEqual(
        sample.webpFile(header, sample.WEBP_PROFILE, sample.webpFrame(true), ...exif),
      );
    },
  );

  it("of the simple form keeps its bitmap only", () => {
    const bytes = sample.webpFile(sample.WEBP_BITMAP, sample.webpChunk("EXIF", sample.tiff(6)));
    expect(scrub(bytes)).toEqual(sample.webpFile(sample.WEBP_BITMAP));
  });

  it("may lack the last padding", () => {
    const bytes = Buffer.from(sample.webpFile(sample.WEBP_BITMAP).subarray(0, -1));
    bytes.writeUInt32LE(bytes.length - 8, 4);
    expect(scrub(bytes)).toEqual(sample.webpFile(sample.WEBP_BITMAP));
  });

  it.each<[string, Buffer]>([
    ["nothing in it", sample.webpFile()],
    ["no picture", sample.webpFile(sample.webpHeader(0))],
    ["another first chunk", sample.webpFile(sample.WEBP_PROFILE, sample.WEBP_BITMAP)],
    ["a short header", sample.webpFile(sample.webpChunk("VP8X", Buffer.alloc(9)), sample.WEBP_BITMAP)],
    ["an empty frame", sample.webpFile(sample.webpHeader(2), sample.webpChunk("ANMF", Buffer.alloc(16)))],
    ["a short frame", sample.webpFile(sample.webpHeader(2), sample.webpChunk("ANMF", Buffer.alloc(15)))],
    ["too many chunks", sample.webpFile(sample.webpHeader(0), ...Array<Buffer>(16_384).fill(sample.webpChunk("prVt", Buffer.alloc(0))))],
  ])("with %s is refused", (_name, bytes) => {
    expect(() => scrubImage(bytes)).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
  });
});

describe("a GIF", () => {
  it("keeps pictures, timing and repetitions only", () => {
    const { GIF_HEADER, GIF_LOOP, GIF_TIMING, GIF_IMAGE } = sample;
    const clean = [GIF_HEADER, GIF_LOOP, GIF_TIMING, GIF_IMAGE, GIF_TIMING, GIF_IMAGE, Buffer.from([0x3b])];
    expect(scrub(sample.gif())).toEqual(Buffer.concat(clean));
  });

  it.each<[string, readonly Buffer[]]>([
    ["no picture", [Buffer.from([0x3b])]],
    ["an unknown block", [Buffer.from([0x41]), sample.GIF_IMAGE, Buffer.from([0x3b])]],
    ["a long timing", [sample.gifExtension(0xf9, Buffer.from("SECRET")), sample.GIF_IMAGE, Buffer.from([0x3b])]],
    ["a timing of two blocks", [sample.gifExtension(0xf9, Buffer.alloc(4), Buffer.from("SECRET")), sample.GIF_IMAGE, Buffer.from([0x3b])]],
  ])("with %s is refused", (_name, parts) => {
    expect(() => scrubImage(Buffer.concat([sample.GIF_HEADER, ...parts]))).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
  });
});

describe("an orientation", () => {
  const entry = (type: number, value: number): Buffer =>
    Buffer.from([77, 77, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, type, 0, 0, 0, 1, 0, value, 0, 0, 0, 0, 0, 0]);

  it.each<[string, Buffer]>([
    ["nothing", Buffer.alloc(0)],
    ["another byte order", Buffer.concat([Buffer.from("XX"), entry(3, 6).subarray(2)])],
    ["another magic number", Buffer.concat([Buffer.from("MM\0+"), entry(3, 6).subarray(4)])],
    ["a directory beyond the end", Buffer.concat([entry(3, 6).subarray(0, 4), Buffer.from("ffffffff", "hex")])],
    ["another type", entry(4, 6)],
    ["9", entry(3, 9)],
    ["0", entry(3, 0)],
    ["a cut entry", entry(3, 6).subarray(0, 20)],
  ])("of %s is upright", (_name, bytes) => expect(readOrientation(bytes)).toBe(1));
});

describe("damaged pictures", () => {
  /** The scrubbed picture, or undefined when it is refused; anything but a refusal in words fails the test. */
  const attempt = (bytes: Uint8Array): Uint8Array | undefined => {
    try {
      return scrubImage(bytes).bytes;
    } catch (error) {
      if (error instanceof CodedError && [400, 413, 415].includes(error.status)) return undefined;
      throw error;
    }
  };

  it("are refused in words or give a picture that stays what it is", () => {
    const damaged = fc
      .tuple(
        fc.constantFrom(...SAMPLES.map(([, bytes]) => bytes)),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 6 }),
        fc.nat({ max: 40 }),
      )
      .map(([bytes, changes, missing]) => {
        const copy = Buffer.from(bytes.subarray(0, bytes.length - missing));
        for (const [at, value] of changes) copy[at % copy.length] = value;
        return copy;
      });
    fc.assert(
      fc.property(damaged, (bytes) => {
        const once = attempt(bytes);
        if (once === undefined) return;
        expect(once.length).toBeLessThanOrEqual(bytes.length + 64);
        expect(attempt(once)).toEqual(once);
      }),
      { seed: 3, numRuns: extent(1_250, 5_000) },
    );
  });

  it("of random bytes behind a right beginning never do anything else", () => {
    const starts = SAMPLES.map(([, bytes]) => bytes.subarray(0, 12));
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
        attempt(Buffer.concat([start, rest]));
      }),
      { seed: 4, numRuns: extent(1_250, 5_000) },
    );
  });

  it("with a hundred thousand tiny parts are still put together", () => {
    const pair = Buffer.concat([sample.PNG_DATA, sample.pngChunk("tEXt", Buffer.from("a"))]);
    const bytes = Buffer.concat([sample.PNG_SIGNATURE, sample.PNG_HEADER, ...Array<Buffer>(200_000).fill(pair), sample.PNG_END]);
    expect(scrub(bytes).length).toBe(8 + sample.PNG_HEADER.length + 200_000 * sample.PNG_DATA.length + sample.PNG_END.length);
  });
});
