// What this program is, and whether there is a newer one.
import { useMutation } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Logo } from "#renderer/components/basics/logo.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { ExternalLink } from "#renderer/components/overlays/external-link.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";

export function AboutSection(): ReactElement {
  const t = useMessages();
  return (
    <Section hideTitle title={t("settings.about")}>
      <div className={shared.row4}>
        <Logo size={44} />
        <div>
          <strong>{t("common.appName")}</strong>
          <p className={shared.muted}>{t("settings.aboutText")}</p>
        </div>
      </div>
      <KeyValueList
        rows={[
          { label: t("common.version"), value: __APP_VERSION__ },
          { label: t("settings.licence"), value: t("settings.licenceName") },
        ]}
      />
      <UpdateCheck />
    </Section>
  );
}

/** Checked only on request: the node then asks its source of releases. */
function UpdateCheck(): ReactElement {
  const t = useMessages();
  const { client } = useNode();
  const check = useMutation({ mutationFn: () => client.checkForUpdate({}) });
  const { data, error } = check;
  return (
    <div className={shared.between}>
      <div role="status">
        {error !== null && <p className={shared.muted}>{t("settings.updateUnknown")}</p>}
        {data !== undefined && !data.update_available && <p>{t("settings.updateNone")}</p>}
        {data?.latest !== undefined && data.update_available && <p>{t("settings.updateFound", { version: data.latest.tag })}</p>}
      </div>
      <div className={shared.buttons}>
        {data?.latest !== undefined && data.update_available && <ExternalLink url={data.latest.url} label={t("settings.updatePage")} />}
        <Button busy={check.isPending} onClick={(): void => check.mutate()}>
          {t("settings.updateCheck")}
        </Button>
      </div>
    </div>
  );
}
