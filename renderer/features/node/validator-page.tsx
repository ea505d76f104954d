// Being a validator: the own node step by step, where its earnings go, and other keys.
import type { ReactElement } from "react";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { NodeFrame } from "./node-frame.tsx";
import { NodeEarnings } from "./validator/node-earnings.tsx";
import { OtherValidator } from "./validator/other-validator.tsx";
import { OwnValidator } from "./validator/own-validator.tsx";

export function ValidatorPage(): ReactElement {
  const t = useMessages();
  return (
    <NodeFrame title={t("explorer.validator")}>
      <OwnValidator />
      <NodeEarnings />
      <OtherValidator />
      <div className={shared.buttons}>
        <ButtonLink to="/explorer/validators">{t("explorer.proposals")}</ButtonLink>
      </div>
    </NodeFrame>
  );
}
