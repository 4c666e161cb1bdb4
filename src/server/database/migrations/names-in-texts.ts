// Finds names behind an `@` for migration 017. Frozen.

/** A mention in a stored text. */
export const tokenOf = (accountId: string) => `\u0002${accountId}\u0003`;
const erasedName = 'cuenta eliminada';
const erasedMention = `@${erasedName}`;

/** A character that would continue a name. */
const continues = /^[\p{L}\p{M}\p{N}\u200d]/u;

/** Accounts by name, except the name of erased accounts, which says nothing about an account. */
export class Names {
  /** Ids; null for a name of several accounts. */
  readonly #ids = new Map<string, string | null>();
  /** Lengths of all names, the longest first. */
  #lengths: number[] | undefined;

  add(name: string, id: string): void {
    if (name === erasedName) return;
    const known = this.#ids.get(name);
    this.#ids.set(name, known === undefined || known === id ? id : null);
    this.#lengths = undefined;
  }

  /** The longest name that begins there. */
  find(text: string, start: number): { length: number; id: string | null } | undefined {
    this.#lengths ??= [...new Set(this.#ids.keys().map((name) => name.length))].sort(
      (a, b) => b - a,
    );
    for (const length of this.#lengths) {
      const end = start + length;
      const id = this.#ids.get(text.slice(start, end));
      if (id !== undefined && !continues.test(text.slice(end, end + 2))) return { length, id };
    }
    return undefined;
  }
}

/** The text with tokens in place of names behind an `@`: of the first map that has one, the longest. */
export function mentionNames(text: string, maps: Names[]): string {
  let stored = '';
  let end = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', Math.max(at + 1, end))) {
    let found: ReturnType<Names['find']>;
    for (const names of maps) found ??= names.find(text, at + 1);
    if (!found) continue;
    stored += text.slice(end, at) + (found.id === null ? erasedMention : tokenOf(found.id));
    end = at + 1 + found.length;
  }
  return stored + text.slice(end);
}
