// A file from the disk, chosen or dropped.
import type { ReactElement } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { buttonClassName } from "./button.tsx";
import { Field, type FieldFrame } from "./field.tsx";
import styles from "./file-field.module.css";

export interface FileFieldProps extends FieldFrame {
  /** Name of the chosen file. */
  readonly fileName: string | undefined;
  /** Endings that are offered first, such as ".wasm". */
  readonly accept: string;
  readonly onChoose: (file: File) => void;
}

/** The field. Choosing the same file again reads it again. */
export function FileField({ fileName, accept, onChoose, ...frame }: FileFieldProps): ReactElement {
  const t = useMessages();
  return (
    <Field {...frame}>
      {(control): ReactElement => (
        <span className={styles.file}>
          <span className={buttonClassName({ size: "small" })} aria-hidden="true">
            {t("transactions.chooseFile")}
          </span>
          <span className={classNames(styles.name, fileName === undefined && shared.muted)}>{fileName ?? t("transactions.noFile")}</span>
          <input
            {...control}
            type="file"
            accept={accept}
            className={styles.input}
            onChange={(event): void => {
              const file = event.target.files?.[0];
              event.target.value = "";
              if (file !== undefined) onChoose(file);
            }}
          />
        </span>
      )}
    </Field>
  );
}
