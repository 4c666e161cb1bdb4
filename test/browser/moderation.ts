import type { Locator, Page } from '@playwright/test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Category, Receipt, Subject } from '../../src/shared/moderation.ts';
import type { Forum, Person } from '../forum/forum.ts';

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
