// Finds children of one list that have the same key. React says so in the browser alone, and only of its development build.

type Make = (type: unknown, props: { readonly children?: unknown } | null, ...rest: readonly unknown[]) => unknown;

const found: string[] = [];

/** The functions of a JSX runtime, which note keys that are in a list twice. For `vi.mock` of `react/jsx-dev-runtime` and `react/jsx-runtime`. */
export function watchKeys<T extends Readonly<Record<string, unknown>>>(runtime: T): T {
  const watched = Object.entries(runtime).map(([name, value]) => [name, name.startsWith("jsx") ? watch(value as Make) : value]);
  return Object.fromEntries(watched) as T;
}

/** Keys that were in a list twice since the last call. */
export function takeRepeatedKeys(): readonly string[] {
  return found.splice(0);
}

function watch(make: Make): Make {
  return (type, props, ...rest) => {
    const { children } = props ?? {};
    for (const child of Array.isArray(children) ? children : [children]) if (Array.isArray(child)) note(child);
    if (Array.isArray(children)) note(children);
    return make(type, props, ...rest);
  };
}

function note(children: readonly unknown[]): void {
  const keys = children.map(keyOf).filter((key) => key !== undefined);
  found.push(...keys.filter((key, index) => keys.indexOf(key) !== index));
}

function keyOf(child: unknown): string | undefined {
  if (typeof child !== "object" || child === null || !("key" in child)) return undefined;
  return typeof child.key === "string" ? child.key : undefined;
}
