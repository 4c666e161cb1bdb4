import { expect, type Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { timesAgo } from '../hydration.ts';
import { endPolls, pollOf } from '../polls.ts';
import { longWord } from '../sample-forum.ts';

export interface Visit {
  forum: Forum;
  /** Opens a page as this person, or as a guest; the one that an earlier visit opened, if any. */
  openAs: (person: Person | null) => Promise<Page>;
  /** Checks the view that the page shows. Closes the open dialog or menu, if any. */
  check: (page: Page) => Promise<void>;
}

/**
 * Visits by the names of their views. A visit opens a view, waits until it is ready for use and checks it, and goes on
 * to the next one in the same document, which takes less time.
 */
export type Visits = Record<string, (visit: Visit) => Promise<void>>;

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
export const title = (page: Page) => page.getByRole('heading', { level: 1 });

/** Opens a page and waits until it has this main heading. */
export async function openPage(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path);
  await expect(title(page)).toHaveText(name);
}

/** Opens a page and waits until it is hydrated: only then are times relative. */
export async function openWithTimes(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(timesAgo(page).first()).toBeVisible();
}

export const openChannelPage = (page: Page, { _id }: { _id: string }) =>
  openWithTimes(page, pageRoutes.channel(_id));

/** Opens the page of a form. Waits until its button is enabled, because earlier input is lost. */
export async function openForm(page: Page, path: string, submit: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('main').getByRole('button', { name: submit })).toBeEnabled();
}

export async function openMenu(page: Page): Promise<void> {
  await button(page, 'Menú de usuario').click();
  await expect(page.getByRole('navigation', { name: 'Menú de usuario' })).toBeVisible();
}

/** A channel by a person with a long name, with these comments by the same person. */
export async function channelWith(forum: Forum, texts: string[]) {
  const ana = await forum.person('Guadalupe Ríos Peralta de la Serna y Toro');
  const channel = await openChannel(forum, ana, { name: 'Electroencefalografistas en apuros' });
  await writeComments(forum, ana, channel, texts);
  return { ana, channel };
}

/** A channel with a closed poll, with a vote by its author, and an open one. */
export async function channelWithPolls(forum: Forum) {
  const { ana, channel } = await channelWith(forum, []);
  const options = [{ text: `Viridiana ${longWord}` }, { text: 'Plácido' }];
  const poll = pollOf(options, { multiple: true });
  const { number } = await forum.comment(ana, channel._id, '¿Qué vemos?', { poll });
  const body = { options: [0] };
  const path = apiRoutes.votes(channel._id, number);
  await forum.json('PUT', path, { token: ana.token, body });
  await endPolls(forum, channel._id);
  await forum.comment(ana, channel._id, longWord, { poll: pollOf(options) });
  return { ana, channel };
}
