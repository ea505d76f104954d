// A link to a route that looks like a button.
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ReactElement, Ref } from "react";
import { type ButtonStyle, buttonClassName } from "./button.tsx";

interface ButtonAnchorProps extends ButtonStyle, Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "className"> {
  readonly ref?: Ref<HTMLAnchorElement>;
}

function ButtonAnchor(props: ButtonAnchorProps): ReactElement {
  const { variant, size, icon: Icon, wide, children, ref, ...anchor } = props;
  const style = { ...(variant && { variant }), ...(size && { size }), ...(wide && { wide }) };
  return (
    <a ref={ref} {...anchor} className={buttonClassName(style)}>
      {Icon !== undefined && <Icon size={16} aria-hidden="true" />}
      {children}
    </a>
  );
}

/** `<ButtonLink to="/wallet" variant="primary">`: typed like the router's Link. */
export const ButtonLink = createLink(ButtonAnchor);
