// QR codes as a person meets them: a picture file, and what a camera films.
import encodeQr from "qr";

const MODULE_PX = 8;
/** Light edge around a code, modules. */
const EDGE = 4;
const FILM = { width: 640, height: 480, frames: 10 } as const;
const DARK = 16;
const LIGHT = 235;
const NO_COLOUR = 128;

/** A picture file of the code. */
export function qrPicture(text: string): Buffer {
  return Buffer.from(encodeQr(text, "gif", { scale: MODULE_PX, border: EDGE }));
}

/** A film (YUV4MPEG2) of the code in the middle of a light room, for Chromium's pretended camera. */
export function qrFilm(text: string): Buffer {
  const { width, height, frames } = FILM;
  const code = encodeQr(text, "raw", { border: EDGE });
  const scale = Math.floor(Math.min(width, height) / code.length);
  const left = Math.floor((width - scale * code.length) / 2);
  const top = Math.floor((height - scale * code.length) / 2);
  const light = Buffer.alloc(width * height, LIGHT);
  for (let y = 0; y < scale * code.length; y += 1)
    for (let x = 0; x < scale * code.length; x += 1)
      if (code[Math.floor(y / scale)]?.[Math.floor(x / scale)] === true) light[(top + y) * width + left + x] = DARK;
  const frame = [Buffer.from("FRAME\n"), light, Buffer.alloc((width * height) / 2, NO_COLOUR)];
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420mpeg2\n`),
    ...Array.from({ length: frames }, () => Buffer.concat(frame)),
  ]);
}
