import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentField, commentsShown, sendComment } from '../comments.ts';
import { openChannel } from '../community.ts';
import { createButton, openCreate, titleField } from '../create-form.ts';
import { expect, test } from '../fixtures.ts';
import { plainImage } from '../images.ts';
import { holdRequests, respondWithProblem, watchRequests } from '../network.ts';
import { menu, signInByForm, signOut } from '../people.ts';

test.describe('the draft of a deleted channel', () => {
  test.use({
    expectedErrors: [
      /status of 404|ERR_INTERNET_DISCONNECTED|Failed to fetch dynamically imported module/,
    ],
  });

  test('is shown to its author until it is discarded', async ({ forum, openAs }) => {
    const ana = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, ana);
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(_id));
    await expect(commentField(page)).toBeVisible();
    await page.context().setOffline(true);
    await sendComment(page, 'Enviado sin red');

    await forum.json('DELETE', apiRoutes.channel(_id), { token: ana.token });
    await page.getByRole('link', { name: 'tertulia' }).first().click();
    await page.context().setOffline(false);
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Página no encontrada' })).toBeVisible();
    await expect(page.getByLabel('Lo que escribías aquí')).toHaveValue('Enviado sin red');
    await page.getByRole('button', { name: 'Descartar' }).click();
    await expect(page.getByLabel('Lo que escribías aquí')).toHaveCount(0);
    await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });
});

test.describe('in a tab opened by a script', () => {
  // Chromium sometimes reports this error when the script that opened the tab has just ended.
  test.use({ expectedErrors: [/The provided callback is no longer runnable/] });

  test('the draft of a channel in another tab is kept when this tab creates its own', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person();
    const page = await openAs(ana);
    await openCreate(page);
    const popup = page.waitForEvent('popup');
    // A tab opened by a page starts with a copy of its session storage.
    await page.evaluate(() => void window.open(location.href));
    const other = await popup;
    await expect(createButton(other)).toBeEnabled();
    await titleField(page).fill('De esta pestaña');
    await page.getByRole('textbox', { name: 'Descripción', exact: true }).fill('Una.');
    await page.getByLabel('Imagen de portada').setInputFiles(await plainImage());
    await expect(page.getByRole('img', { name: 'Portada subida' })).toBeVisible();
    await titleField(other).fill('De la otra pestaña');
    await createButton(page).click();
    await expect(page).toHaveURL(pageRoutes.home);
    await other.reload();
    await expect(titleField(other)).toHaveValue('De la otra pestaña');
  });
});

test.describe('full local storage', () => {
  test.use({ expectedErrors: [/status of 403|ERR_INTERNET_DISCONNECTED/] });

  test('keeps a comment that waits to be sent', async ({ forum, openAs }) => {
    const ana = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, ana);
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(_id));
    await expect(commentField(page)).toBeVisible();
    await page.context().setOffline(true);
    await sendComment(page, 'Una sola vez');
    await expect(commentField(page)).toHaveAttribute('readonly');
    await page.evaluate(() => {
      for (let chunk = 'x'.repeat(1 << 20), count = 0; chunk !== ''; count += 1) {
        try {
          localStorage.setItem(`filler ${count}`, chunk);
        } catch {
          chunk = chunk.slice(0, chunk.length >> 1);
        }
      }
    });
    await page.route(`**${apiRoutes.comment}`, respondWithProblem('not_yours'));
    await page.context().setOffline(false);
    await expect(page.getByText('No se pudo enviar el comentario')).toHaveCount(1);
    await expect(commentField(page)).toHaveValue('Una sola vez');
    await expect(commentsShown(page)).toHaveCount(0);
  });
});

test.describe('a profile image that waits for the previous one to be saved', () => {
  test.use({ expectedErrors: [/status of 401/] });

  test('is not saved once another user has signed in', async ({ forum, openAs }) => {
    const [ana, bea] = [await forum.person('Ana Belén'), await forum.person('Bea Ruiz')];
    const page = await openAs(ana);
    const held = await holdRequests(page, 'PUT', `**${apiRoutes.updateImage}`);
    const stored = watchRequests(page, 'GET', apiRoutes.storedFile('images/segunda.png'));
    await page.goto(pageRoutes.profile);
    const input = page.getByLabel('Cambiar foto de perfil');
    await input.setInputFiles(await plainImage('primera.png'));
    await expect.poll(() => held.requests.length).toBe(1);
    await input.setInputFiles(await plainImage('segunda.png', '#aa2222'));
    await expect.poll(() => stored.length).toBe(1);
    await (await stored[0]?.response())?.finished();
    await signOut(page);
    await page.getByRole('button', { name: 'Menú de usuario' }).click();
    await menu(page).getByRole('link', { name: 'Iniciar sesión' }).click();
    await signInByForm(page, bea.email, bea.password);
    await expect(page.getByRole('link', { name: 'Crear Canal' })).toBeVisible();
    held.release();
    await (await held.requests[0]?.response())?.finished();
    // A second save would have been sent before this response.
    await page.evaluate(() => fetch('/healthz'));
    expect(held.requests).toHaveLength(1);
  });
});
