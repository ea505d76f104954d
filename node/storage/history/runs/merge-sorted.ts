// Several sorted sequences as one; of each, one value at a time is in memory.

/** All values in order. `isBefore` compares as the sequences are sorted; of equal values those of the first sequence come first. */
export function* mergeSorted<T>(sources: readonly Iterator<T, void>[], isBefore: (a: T, b: T) => boolean): Generator<T, void> {
  const heads = sources.flatMap((source) => headOf(source));
  while (heads.length > 0) {
    let least = 0;
    for (let index = 1; index < heads.length; index += 1)
      if (isBefore((heads[index] as Head<T>).value, (heads[least] as Head<T>).value)) least = index;
    const { value, source } = heads[least] as Head<T>;
    yield value;
    heads.splice(least, 1, ...headOf(source));
  }
}

interface Head<T> {
  readonly value: T;
  readonly source: Iterator<T, void>;
}

/** The next value of a sequence, none at its end. */
function headOf<T>(source: Iterator<T, void>): readonly Head<T>[] {
  const next = source.next();
  return next.done === true ? [] : [{ value: next.value, source }];
}
