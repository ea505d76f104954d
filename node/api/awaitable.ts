// Values that are there now or later. What is there now goes on at once: a turn through a promise costs as much as a small read.
import type { Awaitable } from "./services.ts";

/** True for a value that comes later. */
export function isLater<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as Partial<Promise<T>> | null | undefined)?.then === "function";
}

/** What a function makes of a value, as soon as it is there. */
export function whenThere<T, R>(value: Awaitable<T>, make: (value: T) => R): Awaitable<R> {
  return isLater(value) ? value.then(make) : make(value);
}
