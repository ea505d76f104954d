// The methods of a contract, each with a form made from its interface.
import { type FormEvent, type ReactElement, useState } from "react";
import { Badge } from "#renderer/components/badge.tsx";
import { Button } from "#renderer/components/button.tsx";
import { IntentSheet } from "#renderer/components/intent-sheet.tsx";
import { Select } from "#renderer/components/select.tsx";
import { TextArea } from "#renderer/components/text-area.tsx";
import { TextField } from "#renderer/components/text-field.tsx";
import { amountProblem, readAmount } from "#renderer/lib/amount-input.ts";
import { argumentsJson, checkArgument } from "#renderer/lib/call-arguments.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { CallContractIntent } from "#shared/keyring/intents.ts";
import { formatAmount } from "#shared/protocol/amount.ts";
import { type ArgumentAbi, type ContractAbi, type ContractId, gasPriceUt, type MethodAbi } from "#shared/protocol/contracts.ts";
import { DEFAULT_GAS_LIMIT, MAX_GAS_LIMIT } from "#shared/protocol/limits.ts";
import styles from "./contract.module.css";

/** The list. */
export function ContractMethods(props: { readonly contractId: ContractId; readonly abi: ContractAbi }): ReactElement {
  const { contractId, abi } = props;
  return (
    <div className={styles.part}>
      <ul className={styles.methods}>
        {abi.methods.map((method) => (
          <li key={method.name}>
            <Method contractId={contractId} method={method} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Method(props: { readonly contractId: ContractId; readonly method: MethodAbi }): ReactElement {
  const { method } = props;
  const t = useMessages();
  const signature = method.args.map(({ name, type }) => `${name}: ${type}`).join(", ");
  return (
    <details className={styles.method}>
      <summary className={styles.summary}>
        <strong>{method.name}</strong>
        <span className={styles.arguments}>({signature})</span>
        {method.payable === true && <Badge tone="warning">{t("explorer.payable")}</Badge>}
        {method.view === true && <Badge>{t("explorer.view")}</Badge>}
      </summary>
      <CallForm {...props} />
    </details>
  );
}

function CallForm({ contractId, method }: { readonly contractId: ContractId; readonly method: MethodAbi }): ReactElement {
  const { t, locale } = useLanguage();
  const [texts, setTexts] = useState<readonly string[]>(() => method.args.map(({ type }) => (type === "bool" ? "false" : "")));
  const [attached, setAttached] = useState("");
  const [gas, setGas] = useState(String(DEFAULT_GAS_LIMIT));
  const [isTried, setTried] = useState(false);
  const [intent, setIntent] = useState<CallContractIntent>();
  const amount = readAmount(attached);
  const gasLimit = /^\d{1,9}$/.test(gas) ? Number(gas) : 0;
  const isGasWrong = gasLimit < 1 || gasLimit > MAX_GAS_LIMIT;
  const argsJson = argumentsJson(method.args, texts);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (argsJson === undefined || isGasWrong || (amount.kind !== "ok" && amount.kind !== "empty")) return;
    const amountUt = amount.kind === "ok" ? amount.amountUt : 0;
    setIntent({ kind: "callContract", contractId, method: method.name, argsJson, amountUt, gasLimit });
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {method.args.map((argument, index) => (
        <ArgumentField
          key={argument.name}
          argument={argument}
          value={texts[index] ?? ""}
          isTried={isTried}
          onChange={(text): void => setTexts(texts.with(index, text))}
        />
      ))}
      {method.payable === true && (
        <TextField
          label={t("explorer.attach")}
          optional
          mono
          inputMode="decimal"
          value={attached}
          onChange={setAttached}
          affix="T"
          error={amountProblem(t, amount)}
        />
      )}
      <TextField
        label={t("explorer.gasLimit")}
        mono
        inputMode="numeric"
        value={gas}
        onChange={setGas}
        hint={t("explorer.gasLimitHint", { cost: formatAmount(gasPriceUt(gasLimit)) })}
        error={isGasWrong ? t("explorer.gasLimitWrong", { max: new Intl.NumberFormat(locale).format(MAX_GAS_LIMIT) }) : undefined}
      />
      <div className={styles.buttons}>
        <Button type="submit" variant="primary">
          {t("explorer.call")}
        </Button>
      </div>
      {intent !== undefined && (
        <IntentSheet
          intent={intent}
          title={t("explorer.callTitle", { method: method.name })}
          sentence={t("explorer.callSentence", { method: method.name })}
          rows={[
            { label: t("explorer.contractId"), value: contractId, mono: true },
            { label: t("explorer.arguments"), value: intent.argsJson, mono: true },
          ]}
          confirmLabel={t("explorer.signAndCall")}
          onClose={(): void => setIntent(undefined)}
        />
      )}
    </form>
  );
}

interface ArgumentFieldProps {
  readonly argument: ArgumentAbi;
  readonly value: string;
  readonly isTried: boolean;
  readonly onChange: (text: string) => void;
}

function ArgumentField({ argument, value, isTried, onChange }: ArgumentFieldProps): ReactElement {
  const t = useMessages();
  const checked = checkArgument(argument, value);
  const isShown = isTried || value !== "";
  const problem = isShown && "problem" in checked ? t(`explorer.argument.${checked.problem}`) : undefined;
  const frame = { label: argument.name, hint: t(`explorer.type.${argument.type}`), error: problem };
  switch (argument.type) {
    case "bool":
      return (
        <Select
          {...frame}
          options={[
            { value: "false", label: t("explorer.no") },
            { value: "true", label: t("explorer.yes") },
          ]}
          value={value === "true" ? "true" : "false"}
          onChange={onChange}
        />
      );
    case "json":
      return <TextArea {...frame} mono value={value} onChange={onChange} spellCheck={false} />;
    case "u64":
      return <TextField {...frame} mono inputMode="numeric" value={value} onChange={onChange} />;
    case "string":
      return <TextField {...frame} value={value} onChange={onChange} spellCheck={false} />;
  }
}
