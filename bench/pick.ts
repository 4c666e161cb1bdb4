/** The item at a place, round and round. */
export function pick<T>(items: readonly T[], place: number): T {
  const item = items[place % items.length];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
