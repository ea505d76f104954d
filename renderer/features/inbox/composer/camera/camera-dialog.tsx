// A photo from the camera for the composer: a look at it, again or taken. The camera runs only while its picture is shown.
import { Camera, Check, RotateCcw } from "lucide-react";
import { type ReactElement, useEffect, useEffectEvent, useRef, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { ComposerDialog } from "../composer-dialog.tsx";
import styles from "./camera.module.css";
import { beginFilming, photoOf } from "./camera-stream.ts";

export interface CameraDialogProps {
  readonly onTaken: (photo: File) => void;
  readonly onClose: () => void;
}

/** The dialog; open as long as it is mounted. */
export function CameraDialog({ onTaken, onClose }: CameraDialogProps): ReactElement {
  const [photo, setPhoto] = useState<File>();
  const [hasFailed, setFailed] = useState(false);
  return (
    <ComposerDialog titleKey="chat.camera" onClose={onClose}>
      {(close): ReactElement =>
        photo === undefined ? (
          <Viewfinder hasFailed={hasFailed} onFailed={(): void => setFailed(true)} onPhoto={setPhoto} />
        ) : (
          <Taken
            photo={photo}
            onAgain={(): void => setPhoto(undefined)}
            onUse={(): void => {
              onTaken(photo);
              close();
            }}
          />
        )
      }
    </ComposerDialog>
  );
}

interface ViewfinderProps {
  readonly hasFailed: boolean;
  readonly onFailed: () => void;
  readonly onPhoto: (photo: File) => void;
}

function Viewfinder({ hasFailed, onFailed, onPhoto }: ViewfinderProps): ReactElement {
  const t = useMessages();
  const video = useRef<HTMLVideoElement>(null);
  const [isReady, setReady] = useState(false);
  const failed = useEffectEvent(onFailed);
  useEffect(() => {
    const element = video.current;
    if (element === null) return undefined;
    return beginFilming(element, { onReady: () => setReady(true), onFailed: () => failed() });
  }, []);
  const take = (): void => {
    if (video.current !== null) photoOf(video.current).then(onPhoto, onFailed);
  };
  return (
    <div className={shared.stack4}>
      {hasFailed && <Banner tone="warning">{t("chat.cameraFailed")}</Banner>}
      <video ref={video} className={styles.picture} muted playsInline hidden={hasFailed} aria-label={t("common.cameraPicture")} />
      <div className={styles.actions}>
        <Button variant="primary" icon={Camera} autoFocus disabled={!isReady || hasFailed} onClick={take}>
          {t("chat.cameraTake")}
        </Button>
      </div>
    </div>
  );
}

interface TakenProps {
  readonly photo: File;
  readonly onAgain: () => void;
  readonly onUse: () => void;
}

function Taken({ photo, onAgain, onUse }: TakenProps): ReactElement {
  const t = useMessages();
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(photo);
    setAddress(made);
    return (): void => URL.revokeObjectURL(made);
  }, [photo]);
  return (
    <div className={shared.stack4}>
      {address === undefined ? (
        <div className={styles.picture} />
      ) : (
        <img className={styles.picture} src={address} alt={t("chat.cameraPhoto")} />
      )}
      <div className={styles.actions}>
        <Button icon={RotateCcw} onClick={onAgain}>
          {t("chat.cameraAgain")}
        </Button>
        <Button variant="primary" icon={Check} autoFocus onClick={onUse}>
          {t("chat.cameraUse")}
        </Button>
      </div>
    </div>
  );
}
