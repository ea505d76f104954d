// Stops a payment to an address that resembles a known one, until the person says that they have compared them.
import type { ReactElement } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { usePerson } from "#renderer/lib/people/people-context.tsx";
import type { LookAlike } from "#shared/text/look-alike.ts";
import { FullAddress } from "../basics/full-address.tsx";
import { Checkbox } from "../controls/checkbox.tsx";
import { Banner } from "../feedback/banner.tsx";
import styles from "./look-alike-warning.module.css";

export interface LookAlikeWarningProps {
  readonly lookAlike: LookAlike;
  readonly isOverridden: boolean;
  readonly onOverride: (isOverridden: boolean) => void;
}

/** Both addresses, the differences marked, and the override. */
export function LookAlikeWarning(props: LookAlikeWarningProps): ReactElement {
  const { lookAlike, isOverridden, onOverride } = props;
  const { known, candidate } = lookAlike;
  const t = useMessages();
  const person = usePerson(known);
  const name = person.isProfileName ? undefined : person.name;
  return (
    <div className={shared.stack4}>
      <Banner tone="danger" title={t("common.lookAlikeTitle")}>
        {t("common.lookAlike")}
      </Banner>
      <dl className={styles.pair}>
        <div>
          <dt className={shared.caption}>{name === undefined ? t("common.lookAlikeKnown") : t("common.lookAlikeKnownAs", { name })}</dt>
          <dd>
            <FullAddress publicKey={known} comparedWith={candidate} />
          </dd>
        </div>
        <div>
          <dt className={shared.caption}>{t("common.lookAlikeThis")}</dt>
          <dd>
            <FullAddress publicKey={candidate} comparedWith={known} />
          </dd>
        </div>
      </dl>
      <Checkbox
        label={t("common.lookAlikeOverride")}
        hint={t("common.lookAlikeOverrideHint")}
        checked={isOverridden}
        onChange={onOverride}
      />
    </div>
  );
}
