import type { Locator, Page } from '@playwright/test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Category, Receipt, Role, Subject } from '../../src/shared/moderation.ts';
import type { Forum, Person } from '../forum/forum.ts';

/** A new account with this role. */
export async function openStaff(
  forum: Forum,
  name = 'Marta',
  role: Role = 'moderator',
): Promise<Person> {
  const person = await forum.person(name);
  await giveRole(forum, person, role);
  return person;
}

export async function giveRole({ deps }: Forum, { id }: Person, role: Role): Promise<void> {
  await deps.db.updateTable('accounts').set({ role }).where('id', '=', id).execute();
}

export function report(
  forum: Forum,
  reporter: Person,
  subject: Subject,
  { reason = 'abuse' as Category, text = '' } = {},
): Promise<Receipt> {
  const body = { ...subject, reason, ...(text && { text }) };
  return forum.json('POST', apiRoutes.reports, { token: reporter.token, body });
}

/** The items of the queue. */
export const casesShown = (page: Page): Locator =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 2 }) });

export const caseHeading = (one: Locator): Locator => one.getByRole('heading', { level: 2 });
