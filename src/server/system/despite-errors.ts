/** Maximum number of errors in one AggregateError. */
const maxShown = 3;

/** Runs a task for each item, even after failures. @throws after the last item */
export async function forEachDespiteErrors<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) await work(item).catch((error) => errors.push(error));
  throwAny(errors);
}

/** Throws the only error, or an AggregateError with the first of several. */
export function throwAny(errors: unknown[]): void {
  if (errors.length > 1) {
    // A log line with all errors would exceed the maximum length of a line.
    const shown = errors.slice(0, maxShown);
    const message = `${errors.length} failed, such as ${shown.map(String).join('; ')}`;
    throw new AggregateError(shown, message);
  }
  if (errors.length === 1) throw errors[0];
}
