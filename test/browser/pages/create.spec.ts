import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import {
  coverField,
  createButton,
  descriptionField,
  openCreate,
  titleField,
  uploadedMark,
} from '../create-form.ts';
import { openHome } from '../hydration.ts';
import { animatedImage, plainImage } from '../images.ts';
import {
  afterFrames,
  failOnce,
  holdRequests,
  loseAnswer,
  respondWithProblem,
  watchRequests,
} from '../network.ts';
import { personWithoutImage } from '../people.ts';
import { expect, test } from '../quiet-forum.ts';
import { statusBar } from '../status-bar.ts';

const incomplete = '⚠ debes completar todos los campos y subir una imagen de portada';
const uploadUrl = /\/api\/uploads\/[^/]+$/;

const preview = (page: Page) => page.getByRole('main').locator('img');
const progress = (page: Page) => page.getByRole('progressbar');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const waiting = (page: Page) =>
  page.getByRole('status').getByText('Aún se está subiendo una imagen. Se enviará cuando termine.');

async function fillTexts(page: Page, name: string, description = 'Para probar con calma.') {
  await titleField(page).fill(name);
  await descriptionField(page).fill(description);
}

async function expectRunning(page: Page) {
  const status = page.getByRole('status').filter({ hasText: 'Subiendo el archivo' });
  await expect(status).toBeVisible();
  await expect(status.locator('[aria-hidden="true"]'), 'spinner').toBeVisible();
  await expect(progress(page)).toBeVisible();
  await expect(uploadedMark(page)).toBeHidden();
}

test.describe('the form', () => {
  test('needs a title, which may not be blank, a description and an uploaded cover, whose field is marked and gets the focus', async ({
    forum,
    openAs,
  }) => {
    const page = await openAs(await forum.person());
    const sent = watchRequests(page, 'POST', apiRoutes.channels);
    await openCreate(page);
    for (const field of [titleField(page), descriptionField(page)]) {
      await expect(field).toHaveAttribute('required');
      await createButton(page).click();
      await expect(field).toBeFocused();
      await expect(field).toHaveJSProperty('validity.valueMissing', true);
      await field.fill('algo');
    }
    await createButton(page).click();
    await expect(page.getByRole('alert')).toHaveText(incomplete);
    await expect(page).toHaveURL('/create');
    await expect(titleField(page)).toHaveValue('algo');
    expect(sent).toHaveLength(0);
    await expect(coverField(page)).toBeFocused();
    await expect(coverField(page)).toHaveAttribute('aria-invalid', 'true');
    await expect(coverField(page)).toHaveAccessibleDescription(/^Sube una imagen de portada\. /);
    const held = await holdRequests(page, 'PATCH', uploadUrl);
    await coverField(page).setInputFiles(await plainImage());
    await expect(progress(page), 'the mark goes when the upload begins').toBeVisible();
    await expect(coverField(page)).not.toHaveAttribute('aria-invalid');
    await expect(page.getByRole('alert')).toHaveCount(0);
    held.release();
    await expect(uploadedMark(page)).toBeVisible();
    await titleField(page).fill('   ');
    await createButton(page).click();
    await expect(page.getByRole('alert')).toHaveText(incomplete);
    await expect(titleField(page)).toBeFocused();
    await expect(titleField(page)).toHaveAccessibleDescription('Escribe un título.');
    expect(sent).toHaveLength(0);
  });
});

test.describe('a form with blank texts', () => {
  test('is marked at once, without waiting for the cover, and leads to a channel also of a person without a profile image', async ({
    forum,
    openAs,
  }) => {
    const page = await openAs(await personWithoutImage(forum));
    const held = await holdRequests(page, 'PATCH', uploadUrl);
    await openCreate(page);
    await fillTexts(page, '  ', '  ');
    await coverField(page).setInputFiles(await plainImage());
    await expectRunning(page);
    await createButton(page).click();
    await expect(titleField(page)).toHaveAccessibleDescription('Escribe un título.');
    await expect(descriptionField(page)).toHaveAccessibleDescription('Escribe una descripción.');
    await expect(waiting(page)).toHaveCount(0);
    await expectRunning(page);
    await fillTexts(page, 'Sin cara');
    await createButton(page).click();
    await expect(waiting(page)).toBeVisible();
    held.release();
    await expect(page.getByRole('link', { name: 'Sin cara' })).toBeVisible();
  });
});

test.describe('the cover', () => {
  test.describe('drawn as a tile or chosen', () => {
    test.use({ expectedErrors: [/status of 503 .* at \S+\/azulejo\//] });

    test('is the image chosen last, and is shown as it will be published; a tile that could not be drawn is said to be so', async ({
      forum,
      openAs,
    }) => {
      const page = await openAs(await forum.person());
      await openCreate(page);
      const tile = /\/azulejo\/[^/]+\.png$/;
      await failOnce(page, 'GET', tile, (route) => route.fulfill({ status: 503, body: '' }));
      await button(page, 'Usar un azulejo').click();
      await expect(statusBar(page)).toContainText('No se pudo dibujar el azulejo.');
      await expect(page.getByText('Elige una imagen')).toBeVisible();

      const held = await holdRequests(page, 'GET', tile);
      await button(page, 'Usar un azulejo').click();
      await expect.poll(() => held.requests.length).toBe(1);
      await coverField(page).setInputFiles(await animatedImage());
      await expect(uploadedMark(page)).toBeVisible();
      await expect(preview(page), 'without movement').toHaveAttribute('src', /\/1000\.webp$/);
      held.release();
      await afterFrames(page);
      await expect(page.getByText('baile.gif')).toBeVisible();
      const drag = (type: string) =>
        page.evaluate((name) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File(['x'], 'x.png', { type: 'image/png' }));
          document.body.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true }));
        }, type);
      await drag('dragover');
      await expect(page.getByText('Suelta la imagen para subirla')).toBeVisible();
      await drag('dragleave');
      await expect(page.getByText('Cambiar imagen')).toBeVisible();

      await coverField(page).setInputFiles(await plainImage());
      await expect(page.getByText('azul.png')).toBeVisible();
    });
  });

  test('shows a spinner, its progress and then the image, and the form waits for it, can be stopped and continues when the upload was paused', async ({
    forum,
    openAs,
  }) => {
    const page = await openAs(await forum.person());
    const held = await holdRequests(page, 'PATCH', uploadUrl);
    const sent = watchRequests(page, 'POST', apiRoutes.channels);
    await openCreate(page);
    await fillTexts(page, 'Con paciencia');
    await coverField(page).setInputFiles(await plainImage('a tiempo.png'));
    await expectRunning(page);
    await expect(progress(page)).toHaveAttribute('value', '0');
    await expect(page.getByText('a tiempo.png')).toBeVisible();
    await createButton(page).click();
    await expect(waiting(page)).toBeVisible();
    await expect(createButton(page)).toHaveAttribute('aria-busy', 'true');
    await expect(titleField(page)).not.toBeEditable();
    await page.getByRole('button', { name: 'No enviar todavía' }).press('Enter');
    await expect(waiting(page)).toHaveCount(0);
    await expect(createButton(page)).toBeFocused();
    await titleField(page).fill('Con mucha paciencia');
    await button(page, 'Pausar').click();
    await createButton(page).click();
    await expect(button(page, 'Pausar')).toBeVisible();
    await expect(waiting(page)).toBeVisible();
    expect(sent).toHaveLength(0);
    held.release();
    await expect(page.getByRole('link', { name: 'Con mucha paciencia' })).toBeVisible();
    expect(sent).toHaveLength(1);
  });

  test.describe('whose upload fails', () => {
    test.use({ expectedErrors: [/status of 400|tus: .*400/] });

    test('says so here and on the console, and can be tried again', async ({ forum, openAs }) => {
      const page = await openAs(await forum.person());
      const isSent = Promise.withResolvers<void>();
      // A response without a problem body, as from a proxy.
      await failOnce(page, 'PATCH', uploadUrl, async (route) => {
        await isSent.promise;
        await route.fulfill({ status: 400, body: '' });
      });
      const logged = page.waitForEvent('console', (message) => /tus: /.test(message.text()));
      await openCreate(page);
      await fillTexts(page, 'Sin suerte');
      await coverField(page).setInputFiles(await plainImage());
      await createButton(page).click();
      await expect(waiting(page)).toBeVisible();
      isSent.resolve();
      await expect(page.getByRole('alert')).toHaveText([
        'No se pudo subir el archivo.',
        incomplete,
      ]);
      await expect(waiting(page)).toHaveCount(0);
      await expect(coverField(page)).toHaveAccessibleDescription(/^Sube una imagen de portada\. /);
      await expect(uploadedMark(page)).toBeHidden();
      expect((await logged).type()).toBe('error');

      await button(page, 'Reintentar').click();
      await expect(uploadedMark(page)).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
      await expect(createButton(page)).not.toHaveAttribute('aria-busy');
    });
  });
});

test.describe('creating a channel', () => {
  test('leads home, where it is in the list with its cover', async ({ forum, openAs }) => {
    const person = await forum.person('Berta Ríos');
    const page = await openAs(person);
    const held = await holdRequests(page, 'POST', '**/api/channels');
    await openCreate(page);
    await fillTexts(page, 'Recién creado', 'Una línea.\nOtra línea.');
    await coverField(page).setInputFiles(await plainImage('portada ñ.png'));
    await expect(uploadedMark(page), 'green').toHaveCSS('color', 'rgb(42, 106, 69)');
    await expect(progress(page)).toBeHidden();
    await expect(preview(page)).toBeVisible();
    await expect(preview(page)).toHaveJSProperty('naturalWidth', 1000);

    await createButton(page).dblclick();
    await expect(createButton(page)).toHaveAttribute('aria-busy', 'true');
    await expect(createButton(page).locator('[aria-hidden="true"]'), 'spinner').toBeVisible();
    held.release();
    await expect(page).toHaveURL('/');
    expect(held.requests).toHaveLength(1);
    const [sent] = held.requests;
    expect(await sent?.headerValue('authorization')).toBe(`Bearer ${person.token}`);
    expect(sent?.postDataJSON()).toEqual({
      name: 'Recién creado',
      description: 'Una línea.\nOtra línea.',
      cover: expect.stringMatching(/^\/files\/images\/portada%20%C3%B1/),
      coverAlt: '',
      autor: 'Berta Ríos',
      autorId: person.id,
      autorImg: person.img,
    });

    const card = page.getByRole('article').filter({ hasText: 'Recién creado' });
    await expect(card).toHaveCount(1);
    await expect(card).toContainText('0 comentarios');
    const cover = card.locator('img').first();
    await expect(cover).toHaveAttribute('src', `${sent?.postDataJSON().cover}/1000.webp`);
    await expect(cover).not.toHaveJSProperty('naturalWidth', 0);
  });

  test('is also reported on another page, and leaves no draft that would be sent again', async ({
    forum,
    openAs,
  }) => {
    const page = await openAs(await forum.person());
    await openHome(page);
    await page.getByRole('link', { name: 'Crear canal' }).first().click();
    const held = await holdRequests(page, 'POST', '**/api/channels');
    await fillTexts(page, 'Desde otra página', 'Una línea.');
    await coverField(page).setInputFiles(await plainImage());
    await expect(uploadedMark(page)).toBeVisible();
    await createButton(page).click();
    await expect.poll(() => held.requests.length).toBe(1);
    await page.goBack();
    await expect(createButton(page)).toHaveCount(0);
    held.release();
    await page.getByRole('status').getByRole('link').waitFor();
    await page.goForward();
    await expect(createButton(page)).toBeEnabled();
    await expect(page.getByLabel('Título')).toHaveValue('');
    await expect(uploadedMark(page)).toHaveCount(0);
  });

  test.describe('that fails', () => {
    test.use({ expectedErrors: [/(status of [45]00|ERR_\w+) .*at \S+\/api\/channels$/] });

    test("keeps the form, shows the server's message beside its field, and creates one channel when the response was lost, even after a reload", async ({
      forum,
      openAs,
    }) => {
      const page = await openAs(await forum.person());
      await openCreate(page);
      await fillTexts(page, 'x'.repeat(121), 'No se pierde nada.');
      await coverField(page).setInputFiles(await plainImage());
      await expect(uploadedMark(page)).toBeVisible();
      await createButton(page).click();
      const alert = page.getByRole('alert');
      await expect(titleField(page)).toHaveAccessibleDescription(/Como mucho 120 caracteres/);
      await expect(alert.getByText(incomplete, { exact: true })).toBeVisible();

      await failOnce(page, 'POST', '**/api/channels', respondWithProblem('internal_error'));
      await titleField(page).fill('A la segunda');
      await createButton(page).click();
      await expect(alert).toContainText('Algo ha fallado');
      await expect(alert.getByText(incomplete, { exact: true })).toBeVisible();
      await expect(page).toHaveURL('/create');
      await expect(titleField(page)).toHaveValue('A la segunda');
      await expect(descriptionField(page)).toHaveValue('No se pierde nada.');
      await expect(uploadedMark(page)).toBeVisible();

      await failOnce(page, 'POST', '**/api/channels', loseAnswer);
      await createButton(page).click();
      await expect(alert).toContainText('No hay conexión');
      await page.reload();
      await expect(uploadedMark(page)).toBeVisible();
      await createButton(page).click();
      await expect(page).toHaveURL('/');
      await page.reload();
      await expect(page.getByRole('link', { name: 'A la segunda' })).toHaveCount(1);
    });
  });
});
