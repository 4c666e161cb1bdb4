import type { Locator, Page } from '@playwright/test';
import { closePolls } from '../../src/server/notifications/pass/tell-polls.ts';
import type { NewPoll } from '../../src/shared/polls.ts';
import type { Forum } from '../forum/forum.ts';

/** A poll of the API that closes in a week. */
export const pollOf = (options: NewPoll['options'], more: Partial<NewPoll> = {}): NewPoll => ({
  ...{ multiple: false, secret: false, options },
  closesAt: new Date(Date.now() + 7 * 86_400_000).toISOString(),
  ...more,
});

/** The card with the poll of a comment. */
export const pollShown = (page: Page, number = 1): Locator =>
  page.getByRole('region', { name: `Encuesta: n.º ${number}, de ` });

/** Lets the closing time of the polls of a channel pass, as the clock would. @param isClosed whether the pass of that minute has run */
export async function endPolls(forum: Forum, channelId: string, isClosed = true): Promise<void> {
  const { db } = forum.services;
  const ended = { closes_at_ms: Date.now() - 1000 };
  await db.updateTable('polls').set(ended).where('channel_id', '=', channelId).execute();
  if (isClosed) await closePolls(forum.services);
}
