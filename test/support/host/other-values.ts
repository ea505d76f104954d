// Values of an object that a test sets, as limits that all modules read, and that are what they were once its block ends.

/** The same names, with any number where there is one. */
type Values<T> = { readonly [Name in keyof T]?: T[Name] extends number ? number : T[Name] };

/** Sets values. `using` puts those of before back. */
export function otherValues<T extends object>(target: T, values: Values<T>): Disposable {
  const before = { ...target };
  Object.assign(target, values);
  return { [Symbol.dispose]: (): void => void Object.assign(target, before) };
}
