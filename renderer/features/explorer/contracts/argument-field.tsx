// One argument of a call, as its type wants to be typed.
import type { ReactElement } from "react";
import { Select } from "#renderer/components/controls/select.tsx";
import { TextArea } from "#renderer/components/controls/text-area.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { checkArgument } from "#renderer/lib/transactions/call-arguments.ts";
import type { ArgumentAbi } from "#shared/protocol/transactions/contracts.ts";

export interface ArgumentFieldProps {
  readonly argument: ArgumentAbi;
  readonly value: string;
  readonly isTried: boolean;
  readonly onChange: (text: string) => void;
}

export function ArgumentField({ argument, value, isTried, onChange }: ArgumentFieldProps): ReactElement {
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
