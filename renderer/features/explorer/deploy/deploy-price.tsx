// What a deployment costs, before it is reviewed.
import type { ReactElement } from "react";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { formatBytes } from "#renderer/lib/format/bytes.ts";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import type { Output } from "#shared/api/api.ts";
import { minimumFeeUt } from "#shared/protocol/transactions/minimum-fee.ts";
import { encodePayload } from "#shared/protocol/transactions/payload.ts";
import type { ChosenModule } from "./contract-files.ts";

export interface DeployPriceProps {
  readonly module: ChosenModule;
  readonly abiJson: string;
  readonly initArgsJson: string | undefined;
  readonly trial: Output<"estimateDeployment">;
}

export function DeployPrice({ module, abiJson, initArgsJson, trial }: DeployPriceProps): ReactElement {
  const { t, locale } = useLanguage();
  const leastFeeUt = useLeastFee();
  const { gas_used: gasUsed, gas_limit: gasLimit, gas_price_ut: gasPriceUt, functions } = trial;
  const init = initArgsJson === undefined ? {} : { init_args_json: initArgsJson };
  const feeUt = minimumFeeUt(
    encodePayload<"DEPLOY_CONTRACT">({ wasm_b64: module.wasmB64, abi_json: abiJson, gas_limit: gasLimit, ...init }),
    leastFeeUt,
  );
  return (
    <KeyValueList
      rows={[
        { label: t("explorer.codeSize"), value: formatBytes(locale, module.size) },
        { label: t("explorer.moduleOffers"), value: functions.join(", "), mono: true },
        { label: t("explorer.gasUsed"), value: `${new Intl.NumberFormat(locale).format(gasUsed)} · ${amountText(t, gasPriceUt)}` },
        { label: t("explorer.feeBySize"), value: amountText(t, feeUt) },
        { label: t("transactions.total"), value: amountText(t, gasPriceUt + feeUt), strong: true },
      ]}
    />
  );
}
