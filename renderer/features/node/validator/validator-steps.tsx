// The steps from the funds to the bond that came back. What is done has a mark; what a person can do now has the button.
import { Check } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { Time } from "#renderer/components/basics/time.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { DutyButton } from "#renderer/components/transactions/duty-button.tsx";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { amountText, plainAmount } from "#renderer/lib/format/amount.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { OwnNode } from "#renderer/lib/node/use-own-node.ts";
import type { ValidatorStage, WaitingBond } from "#renderer/lib/node/validator-stage.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import styles from "./validator-steps.module.css";

export interface ValidatorStepsProps {
  readonly node: OwnNode;
  readonly publicKey: PublicKeyHex;
  readonly stage: ValidatorStage;
  readonly bondUt: AmountUt;
  readonly bond: WaitingBond | undefined;
}

/** Position of each stage among the steps. */
const POSITIONS = { banned: 0, fund: 0, apply: 1, approvals: 2, member: 3 } as const satisfies Record<ValidatorStage["kind"], number>;

const LEAVING = 4;

/** The list. */
export function ValidatorSteps(props: ValidatorStepsProps): ReactElement {
  const { node, stage, bond } = props;
  const t = useMessages();
  // A bond that waits is what is left of the last time: the next application comes after it.
  const at = bond === undefined ? POSITIONS[stage.kind] : LEAVING;
  return (
    <>
      {stage.kind === "banned" && (
        <Banner tone="warning" title={t("node.bannedTitle")}>
          {t("node.bannedText")} <Time at={stage.untilMs} />
        </Banner>
      )}
      <ol className={styles.steps}>
        <Step title={t("node.step.fund")} position={0} at={at}>
          <Fund {...props} />
        </Step>
        <Step title={t("node.step.apply")} position={1} at={at}>
          <p className={shared.muted}>{t("node.step.applyText")}</p>
          {stage.kind === "apply" && (
            <DutyButton
              node={node}
              duty={{ duty: "apply" }}
              label={t("node.applyToValidate")}
              command="validator request"
              isPrimary={bond === undefined}
            />
          )}
        </Step>
        <Step title={t("node.step.approvals")} position={2} at={at}>
          <Approvals stage={stage} />
        </Step>
        <Step title={t("node.step.vote")} position={3} at={at}>
          <Voting node={node} stage={stage} />
        </Step>
        <Step title={t("node.step.leave")} position={LEAVING} at={at}>
          <p className={shared.muted}>{t("node.step.leaveText")}</p>
          {stage.kind === "member" && (
            <DutyButton node={node} duty={{ duty: "leave" }} label={t("node.leaveSet")} command="validator leave" />
          )}
          {bond !== undefined && <WaitingBondNote node={node} bond={bond} />}
        </Step>
      </ol>
    </>
  );
}

interface StepProps {
  readonly title: string;
  readonly position: number;
  /** Position of the current step. */
  readonly at: number;
  readonly children: ReactNode;
}

function Step({ title, position, at, children }: StepProps): ReactElement {
  const t = useMessages();
  const isDone = position < at && at !== LEAVING;
  const isCurrent = position === at;
  return (
    <li
      className={classNames(styles.step, isDone && styles.done, isCurrent && styles.current)}
      {...(isCurrent && { "aria-current": "step" as const })}
    >
      <span className={styles.mark} aria-hidden="true">
        {isDone ? <Check size={14} /> : position + 1}
      </span>
      <div className={styles.body}>
        <h3 className={styles.title}>
          {title}
          {isDone && <span className={styles.doneWord}>{t("node.step.done")}</span>}
        </h3>
        {children}
      </div>
    </li>
  );
}

function Fund({ publicKey, stage, bondUt }: ValidatorStepsProps): ReactElement {
  const t = useMessages();
  const text = t("node.step.fundText", { bond: amountText(t, bondUt) });
  const missingUt = stage.kind === "fund" || stage.kind === "approvals" ? stage.missingUt : 0;
  return (
    <>
      <p className={shared.muted}>{text}</p>
      {missingUt > 0 && (
        <div className={shared.buttons}>
          <ButtonLink
            to="/wallet/send"
            search={{ to: formatAddress(publicKey), amount: plainAmount(missingUt) }}
            variant={stage.kind === "fund" ? "primary" : "secondary"}
          >
            {t("node.fundNode", { amount: amountText(t, missingUt) })}
          </ButtonLink>
        </div>
      )}
    </>
  );
}

function Approvals({ stage }: { readonly stage: ValidatorStage }): ReactElement {
  const t = useMessages();
  return (
    <>
      <p className={shared.muted}>{t("node.step.approvalsText")}</p>
      {stage.kind === "approvals" && (
        <>
          <p role="status">{t("node.approvalsGiven", { given: stage.given, needed: stage.needed })}</p>
          <progress className={styles.progress} max={stage.needed} value={stage.given} aria-label={t("explorer.approvals")} />
        </>
      )}
    </>
  );
}

function Voting({ node, stage }: { readonly node: OwnNode; readonly stage: ValidatorStage }): ReactElement {
  const { t, locale } = useLanguage();
  if (stage.kind !== "member") return <p className={shared.muted}>{t("node.step.voteText")}</p>;
  const { signed, expected } = stage;
  const share = expected === 0 ? 1 : signed / expected;
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }).format(share);
  return (
    <>
      <p role="status">
        {t(node.isVoting ? "node.votes" : "node.votesNot")}{" "}
        {expected > 0 && t("node.missed", { count: expected - signed, expected, percent })}
      </p>
      {!node.isVoting && <p className={shared.muted}>{t("node.votesNotText")}</p>}
    </>
  );
}

function WaitingBondNote({ node, bond }: { readonly node: OwnNode; readonly bond: WaitingBond }): ReactElement {
  const t = useMessages();
  const { amountUt, availableAtMs, isFree } = bond;
  const amount = amountText(t, amountUt);
  return (
    <>
      <p role="status">
        {t(isFree ? "node.bondIsFree" : "node.bondWaits", { amount })} {!isFree && <Time at={availableAtMs} />}
      </p>
      {isFree && (
        <DutyButton node={node} duty={{ duty: "withdraw_bond" }} label={t("node.takeBond")} command="validator withdraw" isPrimary />
      )}
    </>
  );
}
