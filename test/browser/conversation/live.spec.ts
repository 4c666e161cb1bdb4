import type { Page } from '@playwright/test';
import type { Channel } from '../../../src/shared/channels.ts';
import { commentId } from '../../../src/shared/comment-id.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { editComment } from '../../forum/edit-comment.ts';
import type { Forum } from '../../forum/forum.ts';
import { comment, decided, staff, undone } from '../../forum/moderators.ts';
import {
  commentsShown,
  commentTexts,
  earlierComments,
  fillWithComments,
  moreComments,
  numberedComments,
  sendComment,
  writeComments,
} from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { holdRequests } from '../network.ts';
import type { OpenStreams } from '../open-streams.ts';
import { replyButton, replyField } from '../replies.ts';
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

test('a comment appears in other open browsers without a reload, once and in order, and is announced to screen readers of others', async ({
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
  const announced = (reader: Page) => reader.locator('[aria-live="polite"]');
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(request.url());
  });

  for (const text of ['primero en directo', 'segundo en directo']) {
    await sendComment(author, text);
    await expect(commentsShown(page).filter({ hasText: text })).toHaveCount(1);
    await expect(announced(page)).toHaveText('Nuevo comentario de Bruno Paz');
  }
  await expect(announced(author)).toHaveText('');
  // Any duplicate would have arrived before this comment.
  await writeComments(forum, ana, channel, ['el último']);
  const all = ['ya estaba aquí', 'primero en directo', 'segundo en directo', 'el último'];
  for (const reader of [page, author]) {
    await expect(commentsShown(reader)).toHaveText(all.map((text) => new RegExp(text)));
  }
  await expect(commentsShown(page).nth(1)).toContainText('Bruno Paz');
  await expect(announced(author)).toHaveText('Nuevo comentario de Ana Belén');
  expect(documents, 'reloads').toEqual([]);
});

test.describe(() => {
  test.use({ expectedErrors: [/404 \(Not Found\)/] });

  test('an open page shows an edited comment, drops one that was hidden and shows it again in its place, without moving what is being read; it shows that its channel was hidden', async ({
    page,
    forum,
    streams,
  }) => {
    const [ana, mara] = [await forum.person('Ana Belén'), await staff(forum)];
    const channel = await openChannel(forum, ana);
    await fillWithComments(forum, ana, channel, numberedComments(20));
    await followLive(page, channel, streams);
    // Turns off scroll anchoring, which WebKit lacks.
    await page.evaluate(() => Object.assign(document.body.style, { overflowAnchor: 'none' }));
    const read = page.locator('#comentario-15');
    await read.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const topOf = () => read.evaluate((element) => Math.round(element.getBoundingClientRect().top));
    const top = await topOf();
    await editComment(forum, { channelId: channel._id, number: 1 }, 'una línea\n'.repeat(12));
    const hidden = await decided(forum, mara, {
      subject: comment(channel._id, 2),
      action: 'hide',
      category: 'abuse',
    });
    await expect(commentsShown(page)).toHaveCount(19);
    await expect(commentsShown(page).first()).toContainText('una línea');
    await expect(commentsShown(page).nth(1)).toContainText('comentario 003');
    expect(Math.abs((await topOf()) - top), 'after an edit and a removal').toBeLessThanOrEqual(1);
    await undone(forum, mara, hidden);
    await expect(commentsShown(page).nth(1)).toContainText('comentario 002');
    expect(Math.abs((await topOf()) - top), 'after the return').toBeLessThanOrEqual(1);

    const subject = { kind: 'channel', id: channel._id } as const;
    await decided(forum, mara, { subject, action: 'hide', category: 'abuse' });
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(channel.name);
    await expect(commentsShown(page)).toHaveCount(0);
  });
});

test('after a change a page requests its comments from a multiple of ten on, so that readers share cached responses', async ({
  page,
  forum,
  streams,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await fillWithComments(forum, ana, channel, numberedComments(30));
  await followLive(page, channel, streams, `?after=${commentId(channel._id, 17)}`);
  const refreshed = page.waitForRequest(/\/comments\?/);
  await editComment(forum, { channelId: channel._id, number: 25 }, 'corregido');
  await expect(commentsShown(page)).toContainText(['corregido']);
  const { searchParams } = new URL((await refreshed).url());
  expect(searchParams.get('after')).toBe(commentId(channel._id, 10));
});

test('in a long list the browser skips comments out of view, at the height that they have, and the people to mention in a reply are shown over the next comment', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await fillWithComments(forum, ana, channel, numberedComments(150));
  const page = await openAs(await forum.person('Luis Paz'));
  await page.goto(pageRoutes.channel(channel._id));
  for (const shown of [100, 150]) {
    await moreComments(page).click();
    await expect(commentsShown(page)).toHaveCount(shown);
  }
  await expect(page.locator('#comentario-150')).toHaveCSS('content-visibility', 'auto');
  await replyButton(page, 20).click();
  await page.keyboard.type('a\nb\nc\n@Ana');
  const option = page.getByRole('option', { name: 'Ana Belén' }).first();
  await expect(option).toBeVisible();
  await option.click();
  await expect(replyField(page)).toHaveValue('a\nb\nc\n@Ana Belén ');

  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  const skipped = await height();
  await commentsShown(page).evaluateAll((items) => {
    for (const item of items) item.style.contentVisibility = 'visible';
  });
  expect(await height()).toBe(skipped);
});

test('a page has at most 200 comments around its reader, and one that is replied to; the others come again, and nothing that is read moves', async ({
  forum,
  openAs,
  streams,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await fillWithComments(forum, ana, channel, numberedComments(230));
  const page = await openAs(await forum.person('Luis Paz'));
  await followLive(page, channel, streams);
  const expectShown = async (first: number, last: number) => {
    await expect(page.locator(`#comentario-${last}`)).toBeVisible();
    await expect(page.locator(`#comentario-${first}`)).toBeAttached();
    await expect(commentsShown(page)).toHaveCount(last - first + 1);
  };
  const topOf = (number: number) =>
    page
      .locator(`#comentario-${number}`)
      .evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const expectInPlace = async (number: number, change: () => Promise<void>) => {
    const top = await topOf(number);
    await change();
    expect(Math.abs((await topOf(number)) - top), `comment ${number}`).toBeLessThanOrEqual(1);
  };
  for (const last of [100, 150, 200]) {
    await moreComments(page).click();
    await expectShown(1, last);
  }
  await moreComments(page).scrollIntoViewIfNeeded();
  await expectInPlace(200, async () => {
    await moreComments(page).click();
    await expectShown(31, 230);
  });
  await page.locator('#ultimo').scrollIntoViewIfNeeded();
  await expectInPlace(230, async () => {
    await writeComments(forum, ana, channel, numberedComments(1, 231));
    await expectShown(32, 231);
  });
  await earlierComments(page).scrollIntoViewIfNeeded();
  await expectInPlace(32, async () => {
    await earlierComments(page).click();
    await expectShown(1, 200);
  });
  await replyButton(page, 10).click();
  await replyField(page).fill('a medias');
  await moreComments(page).scrollIntoViewIfNeeded();
  await expectInPlace(200, async () => {
    await moreComments(page).click();
    await expectShown(10, 231);
  });
  await expect(replyField(page)).toHaveValue('a medias');
});

test('an own comment is shown at once, and those that others wrote before it in their places once the stream opens', async ({
  forum,
  openAs,
}) => {
  const [ana, bruno] = [await forum.person('Ana Belén'), await forum.person('Bruno Paz')];
  const channel = await openChannel(forum, ana);
  const page = await openAs(bruno);
  const { requests, release } = await holdRequests(page, 'GET', '**/live*');
  await page.goto(pageRoutes.channel(channel._id));
  await expect.poll(() => requests.length).toBe(1);
  await writeComments(forum, ana, channel, numberedComments(2));
  await sendComment(page, 'comentario 003');
  await expect(commentsShown(page)).toHaveCount(1);
  release();
  await expect(commentsShown(page)).toHaveCount(3);
  expect(await commentTexts(page)).toEqual(numberedComments(3));
});

test.describe(() => {
  test.use({ expectedErrors: streamErrors });

  test('a page that was offline gets each missed comment once, or a link to more than a hundred, and shows changed ones as they now are, where the reader was', async ({
    page,
    forum,
    streams,
  }) => {
    const [ana, mara] = [await forum.person('Ana Belén'), await staff(forum)];
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
    await decided(forum, mara, {
      subject: comment(channel._id, 2),
      action: 'hide',
      category: 'abuse',
    });
    await writeComments(forum, ana, channel, numberedComments(3, 71));
    expect(await commentTexts(page)).toEqual(numberedComments(70));
    await page.context().setOffline(false);
    await expect(commentsShown(page)).toHaveCount(72);
    await expect(commentsShown(page).first()).toContainText('corregido');
    expect(Math.abs((await topOf()) - top)).toBeLessThanOrEqual(1);
    await writeComments(forum, ana, channel, numberedComments(1, 74));
    await expect(commentsShown(page)).toHaveCount(73);
    expect((await commentTexts(page)).slice(1)).toEqual(numberedComments(72, 3));
    expect(streams.readersOf(channel._id), 'streams of one page').toBe(1);
    await goOffline(page, forum);
    await fillWithComments(forum, ana, channel, numberedComments(101, 75));
    await page.context().setOffline(false);
    await expect(moreComments(page)).toBeVisible();
    await expect(commentsShown(page)).toHaveCount(73);
  });
});

test('a hidden tab closes its stream and gets the missed comments when it is visible again, and those of the open channel only', async ({
  page,
  forum,
  streams,
}) => {
  const ana = await forum.person();
  const first = await openChannel(forum, ana, { name: 'Ajedrez al sol' });
  const second = await openChannel(forum, ana, { name: 'Pan de pueblo' });
  await followLive(page, first, streams);
  await setHidden(page, true);
  await expect.poll(() => streams.readersOf(first._id)).toBe(0);
  await writeComments(forum, ana, first, numberedComments(2));
  await setHidden(page, false);
  await expect(commentsShown(page)).toHaveCount(2);
  expect(await commentTexts(page)).toEqual(numberedComments(2));

  await page.getByRole('link', { name: 'tertulia', exact: true }).click();
  await page.getByRole('link', { name: 'Pan de pueblo' }).click();
  await expect.poll(() => streams.readersOf(second._id)).toBe(1);
  await expect.poll(() => streams.readersOf(first._id)).toBe(0);
  await writeComments(forum, ana, first, ['jaque']);
  await writeComments(forum, ana, second, ['miga']);
  await expect(commentsShown(page)).toHaveText([/miga/]);
});
