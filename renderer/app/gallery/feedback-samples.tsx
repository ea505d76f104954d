// Colours, badges, notes, states.
import { MessageSquareText } from "lucide-react";
import type { ReactElement } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Kbd } from "#renderer/components/basics/kbd.tsx";
import { Spinner } from "#renderer/components/basics/spinner.tsx";
import { StatusDot } from "#renderer/components/basics/status-dot.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { CodedError } from "#shared/errors/coded-error.ts";
import styles from "./gallery.module.css";

const TONES = ["neutral", "accent", "success", "warning", "danger"] as const;
const COLOURS = ["canvas", "surface", "raised", "sunken", "accent-soft", "success-soft", "warning-soft", "danger-soft"] as const;

/** What the app says. */
export function FeedbackSamples(): ReactElement {
  return (
    <>
      <Section title="Colours">
        <div className={styles.row}>
          {COLOURS.map((name) => (
            <div key={name} className={styles.swatch} style={{ background: `var(--color-${name})` }}>
              {name}
            </div>
          ))}
        </div>
      </Section>
      <Section title="Small signs">
        <div className={styles.row}>
          {TONES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
          <Badge tone="solid">12</Badge>
          {(["success", "warning", "danger", "neutral"] as const).map((tone) => (
            <StatusDot key={tone} tone={tone} />
          ))}
          <Kbd keys="mod+shift+p" />
          <Spinner />
        </div>
      </Section>
      <Section title="Notes" bare>
        {TONES.map((tone) => (
          <Banner key={tone} tone={tone} title="Your recovery phrase is not confirmed yet." actions={<Button size="small">Confirm</Button>}>
            Without it, a lost device means lost money.
          </Banner>
        ))}
      </Section>
      <Section title="States">
        <div className={styles.grid}>
          <EmptyState
            icon={MessageSquareText}
            title="No conversations yet"
            text="Add a contact, or write a note to yourself."
            actions={<Button variant="primary">Add contact</Button>}
          />
          <ErrorState error={new CodedError("RATE_LIMITED", "slow down")} onRetry={(): void => undefined} />
          <SkeletonRows count={4} />
        </div>
      </Section>
    </>
  );
}
