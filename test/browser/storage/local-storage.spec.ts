import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentField, commentsShown, sendButton, sendComment } from '../comments.ts';
import { openChannel } from '../community.ts';
import { openCreate } from '../create-form.ts';
import { watchRequests } from '../network.ts';
import { rememberBox, signInByForm } from '../people.ts';
import { expect, test } from '../quiet-forum.ts';
import { createLink, enterLink } from '../remembered.ts';

const store = (page: Page, items: Record<string, string>) =>
  page.evaluate((entries) => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, items);

test.describe('unreadable entries in local storage', () => {
  test('are removed, and readable ones are shown and sent', async ({ forum, openAs }) => {
    const person = await forum.person();
    const { _id } = await openChannel(forum, person);
    const other = await openChannel(forum, person, { name: 'Otro' });
    const page = await openAs(person);
    await page.goto(pageRoutes.home);
    const readable = JSON.stringify({ text: 'se envía', key: 'a'.repeat(32), state: 'sending' });
    await store(page, { [`comment-draft ${person.id} ${other._id}`]: readable });
    await page.goto(pageRoutes.channel(other._id));
    await expect(commentsShown(page)).toHaveText([/se envía/]);
    const unreadable = ['{', '{"text":7,"name":{},"cover":7,"request":[],"images":[null]}'];
    const second = await page.context().newPage();
    await second.goto(pageRoutes.home);
    const key = `comment-draft ${person.id} ${_id}`;
    for (const text of unreadable) {
      await store(page, { theme: text, [key]: text, [`channel-draft ${person.id}`]: text });
      await page.goto(pageRoutes.channel(_id));
      await expect(sendButton(page)).toBeEnabled();
      await expect(commentField(page)).toHaveValue('');
      const kept = () => second.evaluate((one) => localStorage.getItem(one), key);
      expect(await kept(), text).toBeNull();
      // An open page ignores one that another tab stores, and removes it.
      await store(second, { [key]: text });
      await expect.poll(kept).toBeNull();
      await openCreate(page);
      await expect(page.getByLabel('Título')).toHaveValue('');
    }
    await page.getByLabel('Título').fill('Otro comienzo');
    await page.reload();
    await expect(page.getByLabel('Título')).toHaveValue('Otro comienzo');
  });
});

test('text typed while local storage is full is kept, with a warning, until the page is left, and whoever signs out is asked first', async ({
  forum,
  openAs,
}) => {
  const person = await forum.person();
  const { _id } = await openChannel(forum, person);
  const page = await openAs(person);
  await page.goto(pageRoutes.channel(_id));
  await page.evaluate(() => {
    for (let length = 2 ** 22; length >= 1; length /= 2) {
      try {
        for (let part = 0; ; part += 1)
          localStorage.setItem(`${length}-${part}`, 'x'.repeat(length));
      } catch {}
    }
  });
  await commentField(page).fill('No cabe en el navegador');
  await expect(page.getByText('Este navegador no tiene espacio')).toBeVisible();
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await page.getByRole('button', { name: 'Menú de usuario' }).click();
  await page.getByRole('button', { name: 'Cerrar sesión' }).click();
  await expect(page.getByText('Copia lo que escribiste antes de cerrar la sesión')).toBeVisible();
  await expect(commentField(page)).toHaveValue('No cabe en el navegador');
  await sendButton(page).click();
  await expect(commentsShown(page)).toHaveText([/No cabe en el navegador/]);
  await expect(page.getByText('Este navegador no tiene espacio')).toHaveCount(0);
});

test('the site works with storage that throws at every use, until the page is left', async ({
  forum,
  page,
}) => {
  const person = await forum.person();
  await openChannel(forum, person, { name: 'Sin memoria' });
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('forbidden', 'SecurityError');
        },
      });
    }
  });
  await page.goto(pageRoutes.login);
  await rememberBox(page).check();
  await signInByForm(page, person.email, person.password);
  await expect(createLink(page)).toBeVisible();
  await page.getByRole('link', { name: 'Sin memoria', exact: true }).click();
  await sendComment(page, 'Se puede comentar');
  await expect(commentsShown(page)).toHaveCount(1);
  await page.getByRole('link', { name: 'tertulia' }).first().click();
  await createLink(page).click();
  await page.getByLabel('Título').fill('Se puede escribir');

  const asked = watchRequests(page, 'POST', apiRoutes.resume);
  await page.goto(pageRoutes.home);
  await expect(enterLink(page)).toBeVisible();
  expect(asked).toHaveLength(0);
});
