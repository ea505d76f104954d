// A QR code, always dark on white: cameras need the contrast.
import encodeQR from "qr";
import { type ReactElement, useMemo } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import styles from "./qr-code.module.css";

/** Modules of white around the code that the standard asks for. */
const QUIET_ZONE = 4;

export interface QrCodeProps {
  readonly text: string;
  /** What it is, for screen readers; the text itself when absent. */
  readonly label?: string;
  /** Pixels. */
  readonly size?: number;
}

/** A QR code as one SVG path. */
export function QrCode(props: QrCodeProps): ReactElement {
  const { text, label = text, size = 220 } = props;
  const t = useMessages();
  const { path, box } = useMemo(() => qrPath(text), [text]);
  return (
    <svg
      className={styles.code}
      width={size}
      height={size}
      viewBox={`0 0 ${box} ${box}`}
      role="img"
      aria-label={t("common.qrOf", { text: label })}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#101418" />
    </svg>
  );
}

function qrPath(text: string): { readonly path: string; readonly box: number } {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: QUIET_ZONE });
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return { path, box: rows.length };
}
