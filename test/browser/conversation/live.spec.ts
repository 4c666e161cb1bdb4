import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import type { Channel } from '../../../src/shared/channels.ts';
import { commentId } from '../../../src/shared/comment-id.ts';
import type { Comment } from '../../../src/shared/comments.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { editComment } from '../../forum/edit-comment.ts';
import type { Forum } from '../../forum/forum.ts';
import { operate } from '../../forum/operator.ts';
import {
  commentField,
  commentsShown,
  commentTexts,
  fillWithComments,
  moreComments,
  numberedComments,
  sendComment,
  writeComments,
} from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import type { OpenStreams } from '../open-streams.ts';
import { setHidden } from '../status-bar.ts';

test.use({ forumName: 'live' });

/** Errors that the browser logs when a stream breaks off or cannot be opened. */
const streamErrors = [
  /net::ERR_(FAILED|INTERNET_DISCONNECTED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET)/,
];

/** Opens the channel's page and waits until it has subscribed to new comments. */
async function followLive(
  page: Page,
  channel: Channel,
  streams: OpenStreams,
  query = '',
): Promise<void> {
  const before = streams.readersOf(channel._id);
  await page.goto(pageRoutes.channel(channel._id) + query);
  await expect.poll(() => streams.readersOf(channel._id)).toBe(before + 1);
}

/** Sets the browser offline, and closes open connections as a lost network does. */
async function goOffline(page: Page, forum: Forum): Promise<void> {
  const hasLost = page.waitForEvent('requestfailed', (request) => request.url().includes('/live'));
  await page.context().setOffline(true);
  forum.loseConnections();
  await hasLost;
}

test('a comment appears in other open browsers without a reload, once and in order', async ({
  page,
  forum,
  openAs,
  streams,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await writeComments(forum, ana, channel, ['ya estaba aquí']);
  const author = await openAs(await forum.person('Bruno Paz'));
  await followLive(page, channel, streams);
  await followLive(author, channel, streams);
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(request.url());
  });

  for (const text of ['primero en directo', 'segundo en directo']) {
    await sendComment(author, text);
    await expect(commentsShown(page).filter({ hasText: text })).toHaveCount(1);
  }
  // Any duplicate would have arrived before this comment.
  await writeComments(forum, ana, channel, ['el último']);
  const all = ['ya estaba aquí', 'primero en directo', 'segundo en directo', 'el último'];
  for (const reader of [page, author]) {
    await expect(commentsShown(reader)).toHaveText(all.map((text) => new RegExp(text)));
  }
  await expect(commentsShown(page).nth(1)).toContainText('Bruno Paz');
  expect(documents, 'reloads').toEqual([]);
});

test.describe(() => {
  test.use({ expectedErrors: [/404 \(Not Found\)/] });

  test('an open page shows an edited comment, drops one that was removed, shows it again in its place, and shows that its channel was removed', async ({
    page,
    forum,
    streams,
  }) => {
    const ana = await forum.person('Ana Belén');
    const channel = await openChannel(forum, ana);
    const comments: Comment[] = [];
    for (const text of ['uno', 'dos', 'tres']) {
      comments.push(await forum.comment(ana, channel._id, text));
    }
    const [, second = assert.fail(), third = assert.fail()] = comments;
    await followLive(page, channel, streams);
    await editComment(forum, third, 'corregido');
    await expect(commentsShown(page)).toHaveText([/uno/, /dos/, /corregido/]);
    await operate(forum, 'hide', second.id);
    await expect(commentsShown(page)).toHaveText([/uno/, /corregido/]);
    await operate(forum, 'show', second.id);
    await expect(commentsShown(page)).toHaveText([/uno/, /dos/, /corregido/]);
    await operate(forum, 'hide', channel._id);
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(channel.name);
    await expect(commentsShown(page)).toHaveCount(0);
  });
});

test('pages that begin within the same ten comments request a change at the same addresses', async ({
  page,
  forum,
  openAs,
  streams,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await fillWithComments(forum, ana, channel, numberedComments(60));
  const other = await openAs(await forum.person('Bruno Paz'));
  const asked = [page, other].map((one) => {
    const urls = new Set<string>();
    one.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/api/channels/') && !pathname.endsWith('/live'))
        urls.add(pathname + search);
    });
    return urls;
  });
  await followLive(page, channel, streams, `?after=${commentId(channel._id, 12)}`);
  await followLive(other, channel, streams, `?after=${commentId(channel._id, 17)}`);
  await editComment(forum, { channelId: channel._id, number: 25 }, 'corregido');
  for (const one of [page, other]) await expect(commentsShown(one)).toContainText(['corregido']);
  const [first, second] = asked;
  expect([...(second ?? [])].sort()).toEqual([...(first ?? [])].sort());
  expect(first?.size).toBeGreaterThan(0);
});

test('changes of comments above the window do not move what is being read', async ({
  page,
  forum,
  streams,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  const comments: Comment[] = [];
  for (const text of numberedComments(20)) {
    comments.push(await forum.comment(ana, channel._id, text));
  }
  const [first = assert.fail(), second = assert.fail()] = comments;
  await followLive(page, channel, streams);
  // Turns off scroll anchoring, which WebKit lacks.
  await page.evaluate(() => Object.assign(document.body.style, { overflowAnchor: 'none' }));
  const read = page.locator('#comentario-15');
  await read.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const topOf = () => read.evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const top = await topOf();
  await editComment(forum, first, 'una línea\n'.repeat(12));
  await expect(commentsShown(page).first()).toContainText('una línea');
  expect(Math.abs((await topOf()) - top), 'after an edit').toBeLessThanOrEqual(1);
  await operate(forum, 'hide', second.id);
  await expect(commentsShown(page)).toHaveCount(19);
  expect(Math.abs((await topOf()) - top), 'after a removal').toBeLessThanOrEqual(1);
});

test('the browser skips comments out of view, at the height that they have', async ({
  page,
  forum,
  streams,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await fillWithComments(forum, ana, channel, numberedComments(200));
  await followLive(page, channel, streams);
  for (const shown of [100, 150, 200]) {
    await moreComments(page).click();
    await expect(commentsShown(page)).toHaveCount(shown);
  }
  await expect(page.locator('#comentario-200')).toHaveCSS('content-visibility', 'auto');
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  const skipped = await height();
  await commentsShown(page).evaluateAll((items) => {
    for (const item of items) item.style.contentVisibility = 'visible';
  });
  expect(await height()).toBe(skipped);
});

test.describe(() => {
  test.use({ expectedErrors: streamErrors });

  test('authors see their own comment once, whether the response or the stream is faster', async ({
    forum,
    openAs,
    streams,
  }) => {
    const ana = await forum.person('Ana Belén');
    const channel = await openChannel(forum, ana);
    const page = await openAs(ana);
    await page.route('**/live*', (route) => route.abort());
    await page.goto(pageRoutes.channel(channel._id));
    await sendComment(page, 'sin directo');
    await expect(commentsShown(page)).toHaveText([/sin directo/]);

    // The stream opens only now, after the response has added the comment.
    await page.unroute('**/live*');
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect.poll(() => streams.readersOf(channel._id)).toBe(1);
    await writeComments(forum, ana, channel, ['con directo']);
    await expect(commentsShown(page)).toHaveText([/sin directo/, /con directo/]);

    const { promise: isSeen, resolve: releaseResponse } = Promise.withResolvers<void>();
    await page.route('**/api/channels/comment', async (route) => {
      const response = await route.fetch();
      await isSeen;
      await route.fulfill({ response });
    });
    await sendComment(page, 'llegué antes');
    const all = [/sin directo/, /con directo/, /llegué antes/];
    await expect(commentsShown(page)).toHaveText(all);
    releaseResponse();
    await expect(commentField(page)).toHaveValue('');
    await expect(commentsShown(page)).toHaveText(all);
  });

  test('a reader who was offline gets each missed comment once', async ({
    page,
    forum,
    streams,
  }) => {
    const ana = await forum.person('Ana Belén');
    const channel = await openChannel(forum, ana);
    await writeComments(forum, ana, channel, numberedComments(2));
    await followLive(page, channel, streams);
    await goOffline(page, forum);
    await writeComments(forum, ana, channel, numberedComments(3, 3));
    expect(await commentTexts(page)).toEqual(numberedComments(2));

    await page.context().setOffline(false);
    await expect(commentsShown(page)).toHaveCount(5);
    await writeComments(forum, ana, channel, numberedComments(1, 6));
    await expect(commentsShown(page)).toHaveCount(6);
    expect(await commentTexts(page)).toEqual(numberedComments(6));
    expect(streams.readersOf(channel._id), 'streams of one page').toBe(1);
  });

  test('a page that was offline while many comments changed shows them as they now are, where the reader was', async ({
    page,
    forum,
    streams,
  }) => {
    const ana = await forum.person('Ana Belén');
    const channel = await openChannel(forum, ana);
    await fillWithComments(forum, ana, channel, numberedComments(70));
    await followLive(page, channel, streams);
    await moreComments(page).click();
    await expect(commentsShown(page)).toHaveCount(70);
    const read = page.locator('#comentario-66');
    await read.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const topOf = () => read.evaluate((element) => Math.round(element.getBoundingClientRect().top));
    const top = await topOf();
    await goOffline(page, forum);
    await editComment(forum, { channelId: channel._id, number: 1 }, 'corregido\n'.repeat(9));
    await operate(forum, 'hide', commentId(channel._id, 2));
    await page.context().setOffline(false);
    await expect(commentsShown(page)).toHaveCount(69);
    await expect(commentsShown(page).first()).toContainText('corregido');
    await expect(commentsShown(page).nth(1)).toContainText('comentario 003');
    expect(Math.abs((await topOf()) - top)).toBeLessThanOrEqual(1);
  });

  test("a reader who missed more than a hundred comments loads them with 'Ver N comentarios más'", async ({
    page,
    forum,
    streams,
  }) => {
    const ana = await forum.person('Ana Belén');
    const channel = await openChannel(forum, ana);
    await writeComments(forum, ana, channel, numberedComments(1));
    await followLive(page, channel, streams);
    await goOffline(page, forum);
    await fillWithComments(forum, ana, channel, numberedComments(119, 2));
    await writeComments(forum, ana, channel, numberedComments(1, 121));
    await page.context().setOffline(false);

    await expect(moreComments(page)).toHaveText('Ver 120 comentarios más');
    // New comments are only counted until the missed ones are loaded.
    await writeComments(forum, ana, channel, numberedComments(1, 122));
    await expect(moreComments(page)).toHaveText(/^Ver \d+ comentarios? más$/);
    await expect(commentsShown(page)).toHaveText([/comentario 001/]);
    for (const shown of [51, 101, 122]) {
      await moreComments(page).click();
      await expect(commentsShown(page)).toHaveCount(shown);
    }
    await expect(moreComments(page)).toHaveCount(0);
    expect(await commentTexts(page)).toEqual(numberedComments(122));
  });
});

/** Collects the announcements in the page's live region from now on. */
async function countAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const region = document.querySelector('[aria-live="polite"]');
    if (!region) throw new Error('no live region');
    new MutationObserver(() => said.push(region.textContent ?? '')).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said);
}

test('every comment by another user is announced to screen readers, and none by the user', async ({
  forum,
  openAs,
  streams,
}) => {
  const [ana, bruno] = [await forum.person('Ana Belén'), await forum.person('Bruno Paz')];
  const channel = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.clock.install();
  await followLive(page, channel, streams);
  const announcements = await countAnnouncements(page);
  await sendComment(page, 'mío');
  await expect(commentsShown(page)).toHaveCount(1);
  await writeComments(forum, bruno, channel, ['uno']);
  await expect.poll(announcements).toEqual(['Nuevo comentario de Bruno Paz']);
  await writeComments(forum, bruno, channel, ['dos']);
  await expect(commentsShown(page)).toHaveCount(3);
  // Announcements are made at least three seconds apart.
  await page.clock.fastForward(3000);
  await expect.poll(announcements).toEqual(Array(2).fill('Nuevo comentario de Bruno Paz'));
});

test('a hidden tab closes its stream, and gets the missed comments when it is visible again', async ({
  page,
  forum,
  streams,
}) => {
  const ana = await forum.person();
  const channel = await openChannel(forum, ana);
  await followLive(page, channel, streams);
  await setHidden(page, true);
  await expect.poll(() => streams.readersOf(channel._id)).toBe(0);
  await writeComments(forum, ana, channel, numberedComments(2));
  await setHidden(page, false);
  await expect(commentsShown(page)).toHaveCount(2);
  expect(await commentTexts(page)).toEqual(numberedComments(2));
});

test('a reader gets live comments of the open channel only', async ({ page, forum, streams }) => {
  const ana = await forum.person();
  const first = await openChannel(forum, ana, { name: 'Ajedrez al sol' });
  const second = await openChannel(forum, ana, { name: 'Pan de pueblo' });
  await followLive(page, first, streams);
  await page.getByRole('link', { name: 'tertulia', exact: true }).click();
  await page.getByRole('link', { name: 'Pan de pueblo' }).click();
  await expect.poll(() => streams.readersOf(second._id)).toBe(1);
  await expect.poll(() => streams.readersOf(first._id)).toBe(0);
  await writeComments(forum, ana, first, ['jaque']);
  await writeComments(forum, ana, second, ['miga']);
  await expect(commentsShown(page)).toHaveText([/miga/]);
});
