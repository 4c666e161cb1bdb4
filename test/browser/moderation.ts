import { expect, type Locator, type Page } from '@playwright/test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Category, Decision, Receipt, Subject } from '../../src/shared/moderation.ts';
import { pageRoutes } from '../../src/shared/routes.ts';
import type { Forum, Person } from '../forum/forum.ts';
import { writeComments } from './comments.ts';
import { openChannel } from './community.ts';

export function report(
  forum: Forum,
  reporter: Person,
  subject: Subject,
  { reason = 'abuse' as Category, text = '' } = {},
): Promise<Receipt> {
  const body = { ...subject, reason, ...(text && { text }) };
  return forum.json('POST', apiRoutes.reports, { token: reporter.token, body });
}

/** The cases listed in the queue. */
export const casesShown = (page: Page): Locator =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 2 }) });

export const caseHeading = (one: Locator): Locator => one.getByRole('heading', { level: 2 });

export const reason = (page: Page): Locator => page.getByLabel('Motivo');

/** Replaces the queue with comments by one person, each reported by another person. */
export async function fillQueue(forum: Forum, texts: string[]) {
  for (const table of [
    ...([
      'reports',
      'cases',
      'appeals',
      'notifications',
      'decision_accounts',
      'decisions',
    ] as const),
  ])
    await forum.services.db.deleteFrom(table).execute();
  const ana = await forum.person('Ana Belén');
  const bea = await forum.person('Bea');
  const channel = await openChannel(forum, ana);
  await writeComments(forum, ana, channel, texts);
  for (const [index, text] of texts.entries()) {
    const subject = { kind: 'comment' as const, id: `${channel._id}-${index + 1}` };
    await report(forum, bea, subject, { text: `No me gusta: ${text}` });
  }
  return { ana, bea, channel };
}

export async function openQueue(page: Page, query = '') {
  await page.goto(`${pageRoutes.moderation}${query}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Moderación' })).toBeVisible();
}

/** Posts a decision as this moderator. */
export const decide = (forum: Forum, { token }: Person, body: object) =>
  forum.json<Decision>('POST', apiRoutes.decisions, { token, body });
