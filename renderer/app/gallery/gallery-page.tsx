// Every component in all its states, for looking at. Only in development builds; its sample texts are not part of the catalogue.
import type { ReactElement } from "react";
import { Logo } from "#renderer/components/basics/logo.tsx";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";
import { DataSamples } from "./data-samples.tsx";
import { FeedbackSamples } from "./feedback-samples.tsx";
import styles from "./gallery.module.css";
import { InputSamples } from "./input-samples.tsx";
import { OverlaySamples } from "./overlay-samples.tsx";
import { PeopleSamples } from "./people-samples.tsx";
import { SigningSamples } from "./signing-samples.tsx";

export function GalleryPage(): ReactElement {
  const { theme, change } = useSettings();
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        <header className={styles.head}>
          <Logo size={36} />
          <h1>Components</h1>
          <SegmentedControl
            label="Theme"
            value={theme}
            onChange={(next): void => change({ theme: next })}
            options={[
              { value: "system", label: "System" },
              { value: "light", label: "Light" },
              { value: "dark", label: "Dark" },
            ]}
          />
        </header>
        <InputSamples />
        <PeopleSamples />
        <DataSamples />
        <FeedbackSamples />
        <OverlaySamples />
        <SigningSamples />
      </div>
    </main>
  );
}
