import type { Page, Route } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Person } from '../../forum/forum.ts';
import {
  altField,
  coverField,
  createButton,
  descriptionField,
  openCreate,
  titleField,
  uploadedMark,
} from '../create-form.ts';
import { invalidImage, plainImage } from '../images.ts';
import { failOnce, holdRequests, watchRequests } from '../network.ts';
import { endSession, signInByForm, signOut, untilReloaded } from '../people.ts';
import { expect, test } from '../quiet-forum.ts';

const uploadUrl = /\/api\/uploads\//;

async function fillForm(page: Page, name: string): Promise<void> {
  await openCreate(page);
  await titleField(page).fill(name);
  await descriptionField(page).fill('Para probar con calma.');
  await altField(page).fill('Un azul');
  await coverField(page).setInputFiles(await plainImage());
}

async function signInAs(page: Page, { email, password }: Person): Promise<void> {
  await signInByForm(page, email, password);
  await expect(page.getByRole('link', { name: 'Crear Canal', exact: true })).toBeVisible();
}

/** Responds as the server does when it has deleted the cover. */
const rejectCover = (route: Route) =>
  route.fulfill({
    status: 400,
    contentType: 'application/problem+json',
    json: {
      type: '',
      title: 'Datos no válidos',
      status: 400,
      code: 'invalid_fields',
      detail: 'Algunos datos no son válidos.',
      errors: [{ field: 'cover', message: 'Esa imagen ya no está. Súbela otra vez.' }],
    },
  });

test.describe('a session that ends while a channel is being written', () => {
  test.use({ expectedErrors: [/status of 401|tus: .*401/] });

  test('loses neither texts nor a cover that is being uploaded, and shows them to no other user', async ({
    forum,
    openAs,
  }) => {
    const [ana, bruno] = [await forum.person('Ana Belén'), await forum.person('Bruno Paz')];
    const page = await openAs(ana);
    const held = await holdRequests(page, 'PATCH', uploadUrl);
    await fillForm(page, 'Escrito a medias');
    await expect.poll(() => held.requests.length).toBe(1);
    await endSession(forum, ana);
    held.release();
    await expect(page).toHaveURL(pageRoutes.login);
    await untilReloaded(page);

    await signInAs(page, bruno);
    await page.getByRole('link', { name: 'Crear Canal', exact: true }).click();
    await expect(page.getByText('Elige una imagen')).toBeVisible();
    await expect(titleField(page)).toHaveValue('');
    await titleField(page).fill('De Bruno');
    await signOut(page);
    await page.goto(pageRoutes.login);

    await signInAs(page, ana);
    await page.getByRole('link', { name: 'Crear Canal', exact: true }).click();
    await expect(titleField(page)).toHaveValue('Escrito a medias');
    await expect(descriptionField(page)).toHaveValue('Para probar con calma.');
    await expect(altField(page)).toHaveValue('Un azul');
    await expect(uploadedMark(page)).toBeVisible();
    await createButton(page).click();
    await expect(page.getByRole('link', { name: 'Escrito a medias' })).toBeVisible();
    await openCreate(page);
    await expect(page.getByText('Elige una imagen')).toBeVisible();
    await expect(titleField(page)).toHaveValue('');
  });
});

test.describe('a cover that the server has deleted', () => {
  test.use({ expectedErrors: [/status of 400 .* at \S+\/api\/channels$/] });

  test('is uploaded again, once, and the channel is created with it, else an error is shown', async ({
    forum,
    openAs,
  }) => {
    const page = await openAs(await forum.person());
    for (const _time of ['first', 'again', 'at the next attempt']) {
      await failOnce(page, 'POST', `**${apiRoutes.channels}`, rejectCover);
    }
    await fillForm(page, 'Con portada de nuevo');
    await expect(uploadedMark(page)).toBeVisible();
    const uploads = watchRequests(page, 'POST', apiRoutes.uploads);
    const sent = watchRequests(page, 'POST', apiRoutes.channels);
    await createButton(page).click();
    await expect(page.getByText('Esa imagen ya no está. Súbela otra vez.')).toBeVisible();
    await expect(createButton(page)).not.toHaveAttribute('aria-busy');
    expect(uploads).toHaveLength(1);
    expect(sent).toHaveLength(2);
    await expect(titleField(page)).toHaveValue('Con portada de nuevo');

    await createButton(page).click();
    await expect(page.getByRole('link', { name: 'Con portada de nuevo' })).toBeVisible();
    expect(uploads).toHaveLength(2);
    expect(sent).toHaveLength(4);
    const keys = sent.map((request) => request.headers()['idempotency-key']);
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys[3]).not.toBe(keys[2]);
  });
});

test.describe('replacing an uploaded cover', () => {
  test.use({ expectedErrors: [/status of 422|tus: .*422|no es una imagen/] });

  test('keeps it when the other file is rejected, before it is sent or by the server, or canceled', async ({
    forum,
    openAs,
  }) => {
    const page = await openAs(await forum.person());
    await fillForm(page, 'Se queda');
    await expect(uploadedMark(page)).toBeVisible();
    // The file starts with the signature of a PNG.
    const buffer = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(500)]);
    for (const file of [invalidImage, { ...invalidImage, buffer }]) {
      await coverField(page).setInputFiles(file);
      await expect(page.getByRole('alert')).toContainText('no es una imagen');
      await expect(uploadedMark(page)).toBeVisible();
      await expect(page.getByText('azul.png')).toBeVisible();
    }
    await page.reload();
    await expect(uploadedMark(page)).toBeVisible();
    const held = await holdRequests(page, 'PATCH', uploadUrl);
    await coverField(page).setInputFiles(await plainImage('roja.png', '#aa2222'));
    await expect.poll(() => held.requests.length).toBe(1);
    await expect(uploadedMark(page)).toBeHidden();
    await page.getByRole('button', { name: 'Cancelar' }).click();
    await expect(uploadedMark(page)).toBeVisible();
    await expect(page.getByText('azul.png')).toBeVisible();
    await createButton(page).click();
    const card = page.getByRole('article').filter({ hasText: 'Se queda' });
    await expect(card.locator('img').first()).toHaveAttribute('src', /\/files\/images\/azul/);
  });
});

test.describe('a server that never responds', () => {
  const _late = 'El servidor tarda demasiado en responder. Vuelve a intentarlo en un momento.';
  // The specification requires upload errors on the console.
  test.use({ expectedErrors: [/^El servidor tarda demasiado/] });
});
