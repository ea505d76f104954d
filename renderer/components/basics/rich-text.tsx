// A sentence of the catalogue with components in its placeholders: chips and amounts inside words, in the order of the language.
import { Fragment, type ReactElement, type ReactNode } from "react";

const MARK = "\u0001";
const SLOT = new RegExp(`${MARK}(\\w+)${MARK}`);

/** The value to give to `t` for a placeholder that a component fills: `t("…", { from: slot("from") })`. */
export function slot(name: string): string {
  return `${MARK}${name}${MARK}`;
}

export interface RichTextProps {
  /** Text with slots. */
  readonly text: string;
  /** Contents of the slots by name; a slot without one stays empty. */
  readonly parts: Readonly<Record<string, ReactNode>>;
}

/** The sentence. */
export function RichText(props: RichTextProps): ReactElement[] {
  return props.text.split(SLOT).map((piece, index) => {
    const key = `${index}-${piece}`;
    return <Fragment key={key}>{index % 2 === 0 ? piece : props.parts[piece]}</Fragment>;
  });
}
