// Reads a QR code with the camera or from a picture. What it holds is only handed on as text: nothing is done by itself.
import { Camera, ImageUp } from "lucide-react";
import { type ChangeEvent, type ReactElement, useEffect, useEffectEvent, useRef, useState } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { cameraStream, decodeFrame, decodePicture } from "#renderer/lib/browser/qr-reader.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { Button } from "../controls/button.tsx";
import { Banner } from "../feedback/banner.tsx";
import { Dialog } from "../overlays/dialog.tsx";
import styles from "./qr-scanner.module.css";

/** Pause between two looks at the camera. */
const SCAN_INTERVAL_MS = 120;

export interface QrScannerProps {
  readonly onFound: (text: string) => void;
  readonly onClose: () => void;
}

/** The dialog, open while it is shown. */
export function QrScanner({ onFound, onClose }: QrScannerProps): ReactElement {
  const t = useMessages();
  const input = useRef<HTMLInputElement>(null);
  const [isFilming, setFilming] = useState(false);
  const [problem, setProblem] = useState<"camera" | "picture">();
  const read = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const file = event.target.files?.[0];
    if (file === undefined) return;
    const text = await decodePicture(file);
    if (text === undefined) setProblem("picture");
    else onFound(text);
  };
  return (
    <Dialog open onOpenChange={onClose} title={t("common.scan")} description={t("common.scanText")}>
      <div className={shared.stack4}>
        {isFilming && (
          <CameraView
            onFound={onFound}
            onFailed={(): void => {
              setFilming(false);
              setProblem("camera");
            }}
          />
        )}
        {problem !== undefined && <Banner tone="warning">{t(`common.scanProblem.${problem}`)}</Banner>}
        <div className={shared.buttons}>
          {!isFilming && (
            <Button icon={Camera} variant="primary" onClick={(): void => setFilming(true)}>
              {t("common.useCamera")}
            </Button>
          )}
          <Button icon={ImageUp} onClick={(): void => input.current?.click()}>
            {t("common.choosePicture")}
          </Button>
          <input
            ref={input}
            type="file"
            accept="image/*"
            hidden
            aria-label={t("common.choosePicture")}
            onChange={(event): void => void read(event)}
          />
        </div>
      </div>
    </Dialog>
  );
}

function CameraView(props: { readonly onFound: (text: string) => void; readonly onFailed: () => void }): ReactElement {
  const t = useMessages();
  const video = useRef<HTMLVideoElement>(null);
  const found = useEffectEvent(props.onFound);
  const failed = useEffectEvent(props.onFailed);
  useEffect(() => {
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hasEnded = false;
    const scan = async (): Promise<void> => {
      const text = video.current === null ? undefined : await decodeFrame(video.current);
      if (hasEnded) return;
      if (text !== undefined) found(text);
      else timer = setTimeout(() => void scan(), SCAN_INTERVAL_MS);
    };
    const begin = async (): Promise<void> => {
      stream = await cameraStream();
      if (hasEnded || video.current === null) return stopStream(stream);
      video.current.srcObject = stream;
      await video.current.play();
      await scan();
    };
    begin().catch(() => failed());
    return (): void => {
      hasEnded = true;
      clearTimeout(timer);
      stopStream(stream);
    };
  }, []);
  return <video ref={video} className={styles.video} muted playsInline aria-label={t("common.cameraPicture")} />;
}

function stopStream(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
