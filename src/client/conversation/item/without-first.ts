/** Removes only the first occurrence, since several people may have the same name. */
export function withoutFirst(names: string[], name: string): string[] {
  const index = names.indexOf(name);
  return index < 0 ? names : names.toSpliced(index, 1);
}
