// The Parley mark: a P whose bowl is a speech bubble around a coin.
import type { ReactElement } from "react";

/** The mark in the text colour; decorative. */
export function Logo(props: { readonly size?: number }): ReactElement {
  const { size = 28 } = props;
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--color-accent)" />
      <path
        d="M10 26V14.5a7 7 0 1 1 7 7h-3.2"
        fill="none"
        stroke="var(--color-on-accent)"
        strokeWidth="3.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="17" cy="14.5" r="2.1" fill="var(--color-on-accent)" />
    </svg>
  );
}
