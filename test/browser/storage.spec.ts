import type { Page } from '@playwright/test';
import { pageRoutes } from '../../src/shared/routes.ts';
import { commentsShown, sendComment } from './comments.ts';
import { openChannel } from './community.ts';
import { expect, test } from './fixtures.ts';

test.use({ expectedErrors: [/net::ERR_\w+/] });

const textarea = (page: Page) => page.getByLabel('Escribe un comentario');
const sendButton = (page: Page) => page.getByRole('button', { name: 'Comentar', exact: true });
const waiting = (page: Page) =>
  page.getByRole('list', { name: 'Comentarios pendientes de envío' }).getByRole('listitem');

const store = (page: Page, items: Record<string, string>) =>
  page.evaluate((entries) => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, items);

const keyNo = (number: number) => String(number).padStart(32, '0');

/** What is no draft and no comment, whatever it was once. */
const unreadable = [
  '',
  '{',
  'null',
  '7',
  '"texto"',
  '[]',
  '{"text":7}',
  '{"key":7,"body":null}',
  '{"key":"","body":{"id":"x","comment":"y"},"place":1}',
  `{"key":"${keyNo(9)}","body":{"id":7,"comment":{}},"place":1}`,
  '{"name":{},"cover":7,"request":[]}',
];

test.describe('what cannot be read in local storage', () => {
  test('is dropped, and what can be read is shown and sent', async ({ forum, openAs }) => {
    const person = await forum.person();
    const { _id } = await openChannel(forum, person);
    const page = await openAs(person);
    await page.goto(pageRoutes.home);
    for (const [index, text] of unreadable.entries()) {
      await store(page, {
        theme: text,
        [`comment-draft ${person.id} ${_id}`]: text,
        [`channel-draft ${person.id}`]: text,
        [`outbox ${person.id} ${keyNo(index)}`]: text,
        [`outbox ${person.id} ${keyNo(100 + index)}`]: JSON.stringify({
          key: keyNo(100 + index),
          body: { id: _id, comment: `se envía ${index}` },
          place: 1,
          sentAtMs: null,
          refusal: null,
        }),
      });
      await page.goto(pageRoutes.channel(_id));
      await expect(commentsShown(page)).toHaveCount(index + 1);
      await expect(sendButton(page)).toBeEnabled();
      await expect(waiting(page)).toHaveCount(0);
      await expect(textarea(page)).toHaveValue('');
      const left = await page.evaluate(() =>
        Object.keys(localStorage).filter((key) => /^(outbox|comment-draft)/.test(key)),
      );
      expect(left, text).toEqual([]);
      await page.goto(pageRoutes.create);
      await page.getByLabel('Título').fill('Otro comienzo');
      await page.reload();
      await expect(page.getByLabel('Título')).toHaveValue('Otro comienzo');
    }
  });

  test('is forgotten by another tab as well', async ({ forum, openAs }) => {
    const person = await forum.person();
    const { _id } = await openChannel(forum, person);
    const page = await openAs(person);
    await page.goto(pageRoutes.channel(_id));
    const second = await page.context().newPage();
    await second.goto(pageRoutes.home);
    await store(second, { [`comment-draft ${person.id} ${_id}`]: '{' });
    await store(second, { [`comment-draft ${person.id} ${_id}`]: '{"text":"De la otra"}' });
    await expect(textarea(page)).toHaveValue('De la otra');
  });
});

test('storage that throws at every use costs only what it would have kept', async ({
  forum,
  openAs,
}) => {
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

test.describe('a clock of the browser that is wrong by months', () => {
  const monthsAgo = new Date(Date.now() - 100 * 86_400_000);

  test('costs no draft when it is put right', async ({ forum, openAs }) => {
    const person = await forum.person();
    const { _id } = await openChannel(forum, person);
    const page = await openAs(person);
    await page.clock.setFixedTime(monthsAgo);
    await page.goto(pageRoutes.channel(_id));
    await textarea(page).fill('Escrito con el reloj mal');
    await page.clock.setFixedTime(new Date());
    await page.reload();
    await expect(textarea(page)).toHaveValue('Escrito con el reloj mal');
    await page.goto(pageRoutes.home);
    await page.goto(pageRoutes.channel(_id));
    await expect(textarea(page)).toHaveValue('Escrito con el reloj mal');
  });

  for (const [when, isKnown] of [
    ['when the server has told its time', true],
    ['when the server was never reached', false],
  ] as const) {
    test(`keeps no comment from being sent once it is put right, ${when}`, async ({
      forum,
      openAs,
    }) => {
      const person = await forum.person();
      const { _id } = await openChannel(forum, person);
      const page = await openAs(person);
      await page.clock.setFixedTime(monthsAgo);
      await page.goto(pageRoutes.channel(_id));
      await expect(sendButton(page)).toBeEnabled();
      const told = page.waitForResponse('**/healthz');
      if (isKnown) {
        await textarea(page).focus();
        await told;
      } else told.catch(() => {});
      await page.context().setOffline(true);
      await sendComment(page, 'Recién escrito');
      await expect(waiting(page)).toHaveCount(1);
      await page.clock.setFixedTime(new Date());
      await page.context().setOffline(false);
      await page.reload();
      await expect(commentsShown(page)).toHaveCount(1);
      await expect(waiting(page)).toHaveCount(0);
    });
  }
});

test('a comment that waited for almost a month is kept and said to be old', async ({
  forum,
  openAs,
}) => {
  const person = await forum.person();
  const { _id } = await openChannel(forum, person);
  const page = await openAs(person);
  await page.goto(pageRoutes.home);
  await store(page, {
    [`outbox ${person.id} ${keyNo(1)}`]: JSON.stringify({
      key: keyNo(1),
      body: { id: _id, comment: 'De hace un mes' },
      place: 1,
      sentAtMs: Date.now() - 29.5 * 86_400_000,
      refusal: null,
    }),
  });
  // Whatever the browser's clock says.
  await page.clock.setFixedTime(new Date(Date.now() - 20 * 86_400_000));
  await page.goto(pageRoutes.channel(_id));
  await expect(waiting(page)).toContainText(['De hace un mes']);
  await expect(page.getByRole('alert')).toContainText('Lleva casi un mes sin enviarse');
  await expect(commentsShown(page)).toHaveCount(0);
});
