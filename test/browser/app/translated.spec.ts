import type { Page } from '@playwright/test';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { editComment } from '../../forum/edit-comment.ts';
import {
  commentsShown,
  commentTexts,
  fillWithComments,
  moreComments,
  numberedComments,
  sendComment,
} from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { timesAgo } from '../hydration.ts';

test.use({
  forumName: 'translated',
  expectedErrors: [/status of 401/],
});

/**
 * Opens a page and waits until it is hydrated: times are then relative, and forms can be submitted. A form changed
 * before hydration is rendered again, which empties its fields.
 */
async function openHydrated(page: Page, path: string): Promise<void> {
  await page.goto(path);
  const enabled = page.locator('button[type="submit"]:enabled');
  await timesAgo(page).or(enabled).first().waitFor();
}

/**
 * Opens a page as translating browsers show it: now and after each change, each text node is replaced by an element.
 * The text stays the same, so that tests find it.
 */
async function openTranslated(page: Page, path: string): Promise<void> {
  await openHydrated(page, path);
  await page.evaluate(() => {
    const translate = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: Text[] = [];
      while (walker.nextNode()) found.push(walker.currentNode as Text);
      for (const text of found) {
        if (!text.data.trim() || text.parentElement?.closest('font, script, textarea')) continue;
        const outer = document.createElement('font');
        outer.appendChild(document.createElement('font')).textContent = text.data;
        text.replaceWith(outer);
      }
    };
    translate();
    const changes = { childList: true, characterData: true, subtree: true };
    new MutationObserver(translate).observe(document.body, changes);
  });
  await expect(page.locator('h1 font font')).toHaveCount(1);
}

test('translated pages load more comments, post one, and show an edit that takes a link out', async ({
  forum,
  openAs,
  page: guest,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  const comment = await forum.comment(ana, channel._id, 'Mira https://ejemplo.es y dime\n\n> qué');
  await fillWithComments(forum, ana, channel, numberedComments(54));
  const page = await openAs(ana);
  const path = pageRoutes.channel(channel._id);
  await openTranslated(guest, path);
  await openTranslated(page, path);
  await moreComments(page).click();
  await expect(commentsShown(page)).toHaveCount(55);
  await sendComment(page, 'Uno nuevo');
  await expect(commentsShown(page)).toHaveCount(56);
  await expect(commentsShown(page).last()).toContainText('Uno nuevo');
  await expect(page.getByRole('heading', { name: 'Comentarios' }).locator('..')).toContainText(
    '56',
  );

  await editComment(forum, comment, 'Mira y dime');
  await expect.poll(async () => (await commentTexts(guest))[0]).toBe('Mira y dime');
  await editComment(forum, comment, 'Mira https://ejemplo.es/2\n\nhoy');
  await expect(commentsShown(guest).getByRole('link', { name: 'ejemplo.es/2' })).toBeVisible();
  await expect(commentsShown(guest).getByText('dime')).toHaveCount(0);
});
