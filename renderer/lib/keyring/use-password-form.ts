// A form that asks for the password: what was typed, and what it opens. The password is forgotten once it was right.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

/** State of such a form. */
export interface PasswordForm<T = unknown> {
  readonly password: string;
  readonly isPending: boolean;
  /** Why the last try failed, until something is typed. */
  readonly error: Error | null;
  /** What the password opened. */
  readonly result: T | undefined;
  type(password: string): void;
  /** Tries the password; nothing happens without one, or while one is tried. */
  submit(): void;
  /** Typing anything beside the password: the last try is of no interest any more. */
  reset(): void;
  /** The form goes. */
  forget(): void;
}

/** A form whose password is given to `open`. */
export function usePasswordForm<T>(open: (password: string) => Promise<T>, onOpened?: (result: T) => void): PasswordForm<T> {
  const [password, setPassword] = useState("");
  const { mutate, reset, isPending, error, data } = useMutation({
    mutationFn: open,
    gcTime: 0,
    onSuccess: (result) => {
      setPassword("");
      onOpened?.(result);
    },
  });
  return {
    password,
    isPending,
    error,
    result: data,
    type: (value): void => {
      setPassword(value);
      reset();
    },
    submit: (): void => {
      if (password !== "" && !isPending) mutate(password);
    },
    reset,
    forget: (): void => {
      setPassword("");
      reset();
    },
  };
}
