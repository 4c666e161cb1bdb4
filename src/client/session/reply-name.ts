import { fieldsOf } from '../../shared/fields-of.ts';
import { changeEntry } from '../router/entry-state.ts';
import { nextPage } from '../router/next-page.ts';
import { sessionStore } from '../storage/browser-storage.ts';

const key = 'reply-name';

/** Stores whom a guest answers, for the login page to which a plain link leads. Its address must not say the name. */
export const keepReplyName = (next: string, name: string) =>
  sessionStore.set(key, JSON.stringify({ next, name }));

/**
 * On the login page, moves the name to its history entry, where a reload finds it. Another way to this page has none.
 */
export function moveReplyName(): void {
  const kept = fieldsOf(JSON.parse(sessionStore.get(key) ?? '{}'));
  sessionStore.remove(key);
  if (typeof kept.name === 'string' && kept.next === nextPage())
    changeEntry({ replyName: kept.name });
}
