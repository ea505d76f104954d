// The camera behind a picture on the screen, and single photos of it. Whatever happens, it is off once it is not shown any more.

/** Sides that are asked for, pixels; a picture that is sent has no larger ones. */
const WIDTH = 1_920;
const HEIGHT = 1_440;
const QUALITY = 0.92;

export interface Filming {
  /** The picture moves. */
  readonly onReady: () => void;
  /** There is no camera, or it may not be used; it is off. */
  readonly onFailed: () => void;
}

/** True where the browser has a way to the camera. */
export function hasCamera(): boolean {
  return typeof navigator !== "undefined" && navigator.mediaDevices?.getUserMedia !== undefined;
}

/** Shows the camera in an element. Returns the way to end it, which also ends one that is still to come. */
export function beginFilming(video: HTMLVideoElement, { onReady, onFailed }: Filming): () => void {
  let stream: MediaStream | undefined;
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
    for (const track of stream?.getTracks() ?? []) track.stop();
    video.srcObject = null;
  };
  const begin = async (): Promise<void> => {
    const size = { width: { ideal: WIDTH }, height: { ideal: HEIGHT } };
    stream = await navigator.mediaDevices.getUserMedia({ video: size, audio: false });
    if (hasEnded) return end();
    for (const track of stream.getTracks()) track.addEventListener("ended", fail);
    video.srcObject = stream;
    await video.play();
    if (!hasEnded) onReady();
  };
  const fail = (): void => {
    if (hasEnded) return;
    end();
    onFailed();
  };
  begin().catch(fail);
  return end;
}

/** What the camera shows now, as a file. @throws Error where it shows nothing yet. */
export async function photoOf(video: HTMLVideoElement): Promise<File> {
  const { videoWidth, videoHeight } = video;
  if (videoWidth === 0 || videoHeight === 0) throw new Error("The camera shows nothing yet");
  const canvas = new OffscreenCanvas(videoWidth, videoHeight);
  canvas.getContext("2d")?.drawImage(video, 0, 0);
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
  return new File([blob], "photo.jpg", { type: "image/jpeg" });
}
