// Tabs with panels.
import { Tabs as BaseTabs } from "@base-ui/react/tabs";
import type { ReactElement, ReactNode } from "react";
import styles from "./tabs.module.css";

export interface TabItem<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

export interface TabsProps<Value extends string> {
  readonly label: string;
  readonly items: readonly TabItem<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** Controlled tabs. */
export function Tabs<Value extends string>(props: TabsProps<Value>): ReactElement {
  const { label, items, value, onChange } = props;
  return (
    <BaseTabs.Root value={value} onValueChange={(next: Value): void => onChange(next)}>
      <BaseTabs.List className={styles.list} aria-label={label}>
        {items.map((item) => (
          <BaseTabs.Tab key={item.value} value={item.value} className={styles.tab}>
            {item.label}
          </BaseTabs.Tab>
        ))}
        <BaseTabs.Indicator className={styles.indicator} />
      </BaseTabs.List>
      {items.map((item) => (
        <BaseTabs.Panel key={item.value} value={item.value} className={styles.panel}>
          {item.content}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  );
}
