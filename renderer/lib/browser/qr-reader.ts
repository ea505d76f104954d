// QR codes from pixels. The decoder is loaded when it is first needed.
import { measureImage } from "#shared/media/image-size.ts";
import { MAX_CHOSEN_PIXELS } from "#shared/media/shown-image.ts";

/** Longer sides are made smaller before decoding. */
const MAX_SIDE = 1_600;
/** A picture may take its time; a frame of the camera is followed by the next one. */
const PICTURE_TIME_MS = 1_500;

/** Pictures of the camera at the back, where there is one. */
export function cameraStream(): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" }, audio: false });
}

/** Text of the code in the current frame, or undefined. */
export function decodeFrame(video: HTMLVideoElement): Promise<string | undefined> {
  return decode(video, video.videoWidth, video.videoHeight);
}

/** Text of the code in a picture file, or undefined. */
export async function decodePicture(file: Blob): Promise<string | undefined> {
  try {
    const size = measureImage(new Uint8Array(await file.arrayBuffer()));
    if (size !== undefined && size.width * size.height > MAX_CHOSEN_PIXELS) return undefined;
    const bitmap = await createImageBitmap(file);
    const text = await decode(bitmap, bitmap.width, bitmap.height, PICTURE_TIME_MS);
    bitmap.close();
    return text;
  } catch {
    return undefined;
  }
}

async function decode(source: CanvasImageSource, width: number, height: number, timeLimit?: number): Promise<string | undefined> {
  if (width === 0 || height === 0) return undefined;
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const context = new OffscreenCanvas(size.width, size.height).getContext("2d", { willReadFrequently: true });
  if (context === null) return undefined;
  context.drawImage(source, 0, 0, size.width, size.height);
  const { data } = context.getImageData(0, 0, size.width, size.height);
  const { default: decodeQr } = await import("qr/decode.js");
  try {
    return decodeQr({ ...size, data }, timeLimit === undefined ? {} : { timeLimit });
  } catch {
    return undefined;
  }
}
