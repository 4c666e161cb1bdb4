/** Whether a name is a telephone number, which is never shown. */
export function isTelephone(name: string): boolean {
  return /^[+(]?\d[\d\s().-]*$/.test(name) && name.replace(/\D/g, '').length >= 6;
}

/**
 * Suggests a name for each person of an export, no two alike: without the `~` of people who are no contacts, and `Persona
 * 1` for a telephone number.
 */
export function suggestNames(sources: string[]): string[] {
  const taken = new Set(sources);
  let unnamed = 0;
  return sources.map((source) => {
    const name = source.replace(/^~\s*/, '');
    if (name === source && !isTelephone(name)) return name;
    if (name === '' || isTelephone(name)) {
      do unnamed++;
      while (taken.has(`Persona ${unnamed}`));
      return `Persona ${unnamed}`;
    }
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name} ${number}`;
    taken.add(free);
    return free;
  });
}
