import type { Query } from './parse-query.ts';
import { tokensOf } from './words.ts';

/** Whether a text has what a query asks for. */
export function matches({ required }: Query, text: string): boolean {
  const tokens = new Set(tokensOf(text));
  return required.every((entry) => entry.some(({ token }) => tokens.has(token)));
}
