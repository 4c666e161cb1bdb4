import type { Page } from '@playwright/test';
import { pageRoutes } from '../../src/shared/routes.ts';
import {
  commentField,
  commentsShown,
  queuedComments,
  sendButton,
  sendComment,
} from './comments.ts';
import { openChannel } from './community.ts';
import { openCreate } from './create-form.ts';
import { expect, test } from './fixtures.ts';
import { loseConnection } from './network.ts';
import { openWithNews } from './people.ts';

test.use({ expectedErrors: [/net::ERR_\w+/] });

const store = (page: Page, items: Record<string, string>) =>
  page.evaluate((entries) => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, items);

const keyNo = (number: number) => String(number).padStart(32, '0');

/** Values that are neither a valid draft nor a valid queued comment. */
const unreadable = [
  '',
  '{',
  'null',
  '7',
  '"texto"',
  '[]',
  '{"text":7}',
  '{"key":7,"body":null}',
  '{"body":{"id":"x"},"place":1}',
  `{"key":"${keyNo(9)}","body":{"id":7,"comment":{}},"place":1}`,
  '{"name":{},"cover":7,"request":[]}',
];

test.describe('unreadable entries in local storage', () => {
  test('are removed, and readable ones are shown and sent', async ({ forum, openAs }) => {
    const person = await forum.person();
    const { _id } = await openChannel(forum, person);
    const page = await openAs(person);
    await page.goto(pageRoutes.home);
    const readable = JSON.stringify({
      key: keyNo(100),
      body: { id: _id, comment: 'se envía' },
      place: 1,
      sentAtMs: null,
      refusal: null,
    });
    await store(page, { [`outbox ${person.id} ${keyNo(100)}`]: readable });
    for (const [index, text] of unreadable.entries()) {
      await store(page, { [`outbox ${person.id} ${keyNo(index)}`]: text });
    }
    for (const text of ['{', '{"text":7,"name":{},"cover":7,"request":[]}']) {
      await store(page, {
        theme: text,
        [`comment-draft ${person.id} ${_id}`]: text,
        [`channel-draft ${person.id}`]: text,
      });
      await page.goto(pageRoutes.channel(_id));
      await expect(commentsShown(page)).toHaveText([/se envía/]);
      await expect(sendButton(page)).toBeEnabled();
      await expect(queuedComments(page)).toHaveCount(0);
      await expect(commentField(page)).toHaveValue('');
      const left = await page.evaluate(() =>
        Object.keys(localStorage).filter((key) => /^(outbox|comment-draft)/.test(key)),
      );
      expect(left, text).toEqual([]);
      await openCreate(page);
      await expect(page.getByLabel('Título')).toHaveValue('');
    }
    await page.getByLabel('Título').fill('Otro comienzo');
    await page.reload();
    await expect(page.getByLabel('Título')).toHaveValue('Otro comienzo');
  });

  test('are ignored by other tabs', async ({ forum, openAs }) => {
    const person = await forum.person();
    const { _id } = await openChannel(forum, person);
    const page = await openAs(person);
    await page.goto(pageRoutes.channel(_id));
    const second = await page.context().newPage();
    await second.goto(pageRoutes.home);
    const key = `comment-draft ${person.id} ${_id}`;
    await store(second, { [key]: '{' });
    // The other tab removes it; when that is slow, it would remove what is stored next.
    await expect.poll(() => second.evaluate((one) => localStorage.getItem(one), key)).toBe(null);
    await store(second, { [key]: '{"text":"De la otra"}' });
    await expect(commentField(page)).toHaveValue('De la otra');
  });
});

test('the site works with storage that throws at every use', async ({ forum, openAs }) => {
  const person = await forum.person();
  const { _id } = await openChannel(forum, person);
  const page = await openAs(person);
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('forbidden', 'SecurityError');
      },
    });
    Object.defineProperty(window, 'indexedDB', {
      get() {
        throw new DOMException('forbidden', 'SecurityError');
      },
    });
  });
  await page.goto(pageRoutes.channel(_id));
  await sendComment(page, 'Sin memoria');
  await expect(commentsShown(page)).toHaveCount(1);
  await page.getByRole('link', { name: 'tertulia' }).first().click();
  await page.getByRole('link', { name: 'Crear Canal' }).click();
  await page.getByLabel('Título').fill('Se puede escribir');
});

test.describe('a browser clock that is wrong by months', () => {
  const monthsAgo = new Date(Date.now() - 100 * 86_400_000);

  for (const [when, isKnown] of [
    ['when the time of the server is known', true],
    ['when the server was never reached', false],
  ] as const) {
    test(`does not prevent a comment from being sent once it is corrected, ${when}`, async ({
      forum,
      openAs,
    }) => {
      const person = await forum.person();
      const { _id } = await openChannel(forum, person);
      const page = await openAs(person);
      await page.clock.setFixedTime(monthsAgo);
      if (isKnown) await openWithNews(page, pageRoutes.channel(_id));
      else {
        await page.route('**/api/**', loseConnection);
        await page.goto(pageRoutes.channel(_id));
      }
      await expect(sendButton(page)).toBeEnabled();
      await page.context().setOffline(true);
      await sendComment(page, 'Recién escrito');
      await expect(queuedComments(page)).toHaveCount(1);
      await page.clock.setFixedTime(new Date());
      await page.unroute('**/api/**');
      await page.context().setOffline(false);
      await page.reload();
      await expect(commentsShown(page)).toHaveCount(1);
      await expect(queuedComments(page)).toHaveCount(0);
    });
  }
});

/** An entry of a comment that is queued for longer than the server would recognize it. */
const oldComment = ({ id }: { id: string }, channelId: string) => ({
  [`outbox ${id} ${keyNo(1)}`]: JSON.stringify({
    key: keyNo(1),
    body: { id: channelId, comment: 'De hace un mes' },
    place: 1,
    sentAtMs: Date.now() - 29.5 * 86_400_000,
    refusal: null,
  }),
});

test('a comment queued for almost a month is kept, not sent, and marked as too old', async ({
  forum,
  openAs,
}) => {
  const person = await forum.person();
  const { _id } = await openChannel(forum, person);
  const page = await openAs(person);
  await page.goto(pageRoutes.home);
  await store(page, oldComment(person, _id));
  // The age counts by the server's clock, not by the browser's.
  await page.clock.setFixedTime(new Date(Date.now() - 20 * 86_400_000));
  await page.goto(pageRoutes.channel(_id));
  await expect(queuedComments(page)).toContainText(['De hace un mes']);
  await expect(page.getByRole('alert')).toContainText('Lleva casi un mes sin enviarse');
  await expect(commentsShown(page)).toHaveCount(0);
});

test('a queued comment is not sent while the time of the server is unknown', async ({
  forum,
  openAs,
}) => {
  const person = await forum.person();
  const { _id } = await openChannel(forum, person);
  const page = await openAs(person);
  await page.goto(pageRoutes.home);
  // Any response of the API tells the time.
  await page.route(/\/healthz$|\/api\//, (route) => route.abort());
  const failed = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/healthz'),
  );
  await store(page, oldComment(person, _id));
  await page.goto(pageRoutes.channel(_id));
  await failed;
  await page.unrouteAll();
  await expect(page.getByRole('alert')).toContainText('Lleva casi un mes sin enviarse');
  await expect(commentsShown(page)).toHaveCount(0);
});
