import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { commentId } from '../../../src/shared/comment-id.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { hideContent } from '../../forum/moderators.ts';
import { chromiumOptions } from '../chromium.ts';
import {
  commentField,
  commentsShown,
  fillWithComments,
  moreComments,
  numberedComments,
  sendComment,
} from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { signInByForm, signOut } from '../people.ts';

/** Turns on the back/forward cache, which Playwright turns off. */
test.use({
  launchOptions: { ...chromiumOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] },
  // A page may request news just when its session ends.
  expectedErrors: [/status of 401 .* at \S+\/user\/(news\?|pending)/],
});

// One worker starts this browser for all tests.
// Chromium may exclude a page from the cache for an undisclosed reason ("masked"), for instance on a busy machine.
test.describe.configure({ retries: 2, mode: 'default' });

/** Goes back to a marked page, and expects it to come from the cache. @returns the text it showed at once */
async function goBackToCached(page: Page, steps: number): Promise<string> {
  await page.evaluate((count) => {
    localStorage.removeItem('returned');
    history.go(-count);
  }, steps);
  let returned = '';
  const read = async () => {
    const stored = page.evaluate(() => localStorage.getItem('returned') ?? location.href);
    returned = await stored.catch(String);
    return returned;
  };
  await expect.poll(read).toMatch(/^shown: /);
  return returned;
}

/** Makes a page store its text when it returns from the cache, before it is painted. */
const markPage = (page: Page) =>
  page.evaluate(() =>
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) localStorage.setItem('returned', `shown: ${document.body.innerText}`);
    }),
  );

test('a page restored by Back after signing out shows nothing of the user, and the profile leads home', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const { _id } = await openChannel(forum, await forum.person('Bruno Paz'));
  const page = await openAs(ana);
  await page.goto(pageRoutes.profile);
  await expect(page.getByText(ana.email)).toBeVisible();
  await markPage(page);
  await page.goto(pageRoutes.channel(_id));
  await commentField(page).fill('Solo para Ana');
  await markPage(page);
  // Opened by its address, so that the current page enters the cache.
  await page.goto(pageRoutes.home);
  await signOut(page);
  expect(await goBackToCached(page, 1)).toContain('Si deseas comentar debes');
  await expect(page.getByText('Si deseas comentar debes')).toBeVisible();
  await expect(commentField(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Menú de usuario' }).click();
  await expect(page.getByRole('button', { name: 'Cerrar sesión' })).toHaveCount(0);
  expect(await goBackToCached(page, 1)).not.toContain(ana.email);
  await expect(page).toHaveURL(pageRoutes.home);
  await expect(page.getByText(ana.email)).toHaveCount(0);
});

test('a page restored by Back after another user has signed in belongs to that user', async ({
  forum,
  openAs,
}) => {
  const [ana, bruno] = [await forum.person('Ana Belén'), await forum.person('Bruno Paz')];
  const { _id } = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(_id));
  await commentField(page).fill('Solo para Ana');
  await markPage(page);
  await page.goto(pageRoutes.home);
  await signOut(page);
  await page.goto(pageRoutes.login);
  await signInByForm(page, bruno.email, bruno.password);
  await expect(page.getByRole('link', { name: 'Crear Canal' })).toBeVisible();
  await goBackToCached(page, 2);
  await expect(commentField(page)).toHaveValue('');
  const written = page.waitForRequest(`**${apiRoutes.comment}`);
  await sendComment(page, 'De Bruno');
  expect((await written).postDataJSON()).toMatchObject({ autor: 'Bruno Paz', autorId: bruno.id });
  await expect(page.getByRole('listitem').filter({ hasText: 'De Bruno' })).toContainText(
    'Bruno Paz',
  );
});

test('a channel restored by Back is where it was, with everything that was loaded except what has been hidden since', async ({
  forum,
  page,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await fillWithComments(forum, ana, channel, numberedComments(100));
  await page.goto(pageRoutes.channel(channel._id));
  await moreComments(page).click();
  await expect(commentsShown(page)).toHaveCount(100);
  const read = page.locator('#comentario-80');
  await read.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const topOf = () => read.evaluate((element) => element.getBoundingClientRect().top);
  const top = await topOf();
  await markPage(page);
  await page.goto('/api/docs');
  await hideContent(forum, commentId(channel._id, 20));
  await goBackToCached(page, 1);
  await expect(commentsShown(page)).toHaveCount(99);
  await expect(page.locator('#comentario-20')).toHaveCount(0);
  expect(Math.abs((await topOf()) - top)).toBeLessThanOrEqual(20);
});
