// Values that are available now or later. What is available now is used at once: a turn through a promise costs as much as a small read.

/** A value now or later: queries may move to a worker. */
export type Awaitable<T> = T | Promise<T>;

/** True for a value that comes later. */
export function isLater<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as Partial<Promise<T>> | null | undefined)?.then === "function";
}

/** What a function makes of a value, as soon as it is there. */
export function whenThere<T, R>(value: Awaitable<T>, make: (value: T) => Awaitable<R>): Awaitable<R> {
  return isLater(value) ? value.then(make) : make(value);
}
