import type { Page } from '@playwright/test';
import type { User } from '../../../src/shared/accounts.ts';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentsShown } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { plainImage } from '../images.ts';
import { afterFrames, failOnce, holdRequests, respondWithProblem } from '../network.ts';
import { personWithoutImage, readSession } from '../people.ts';
import { statusBar } from '../status-bar.ts';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const image = (page: Page) => page.getByRole('main').locator('img');
const headerImage = (page: Page) =>
  page.getByRole('button', { name: 'Menú de usuario' }).locator('img');
const fileInput = (page: Page) => page.getByLabel('Cambiar foto de perfil');
const channelCount = (page: Page) => page.getByRole('definition');

test.describe('when the statistics cannot be loaded', () => {
  test.use({ expectedErrors: [/status of 500 .* at \S+\/api\/user\/me$/] });

  test('says so and tries again when asked; shows image, name, e-mail and how many channels the user has created', async ({
    forum,
    openAs,
  }) => {
    const person = await personWithoutImage(forum, 'Gala Núñez');
    const page = await openAs(person);
    await failOnce(page, 'GET', `**${apiRoutes.me}`, respondWithProblem('internal_error'));
    await page.goto('/profile');
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(heading(page)).toHaveText('Gala Núñez');
    await expect(page.getByText(person.email, { exact: true })).toBeVisible();
    await expect(page.getByRole('term')).toHaveText('Canales creados');
    await expect(channelCount(page)).toHaveText('0');
    await expect(image(page)).toHaveAttribute('src', '/default-avatar.svg');
    await expect(image(page)).toHaveCSS('width', '180px');
    await expect(image(page)).toHaveCSS('height', '180px');
    await expect(image(page)).toHaveCSS('border-radius', '50%');

    await openChannel(forum, person);
    await page.reload();
    await expect(channelCount(page)).toHaveText('1');
    await page.getByRole('link', { name: 'Ver mi página pública' }).click();
    await expect(page).toHaveURL(pageRoutes.user(person.id));
    await expect(heading(page)).toHaveText('Gala Núñez');
  });
});

test('choosing a file changes the image on the page, in the header and in the session, removing it can be undone, an image that will not move is said to be so until its upload is cancelled, and leaving the page during the upload says that nothing has changed', async ({
  forum,
  openAs,
}) => {
  const person = await personWithoutImage(forum);
  const page = await openAs(person);
  const held = await holdRequests(page, 'PATCH', /\/api\/uploads\//);
  await page.goto('/profile');
  const remove = page.getByRole('button', { name: 'Quitar la foto' });
  await expect(heading(page)).toBeVisible();
  await expect(remove).toHaveCount(0);
  const saving = page.waitForRequest(`**${apiRoutes.updateImage}`);
  await fileInput(page).setInputFiles(await plainImage('cara de nadia.png', '#8844aa'));
  await expect(page.getByRole('status').filter({ hasText: 'Subiendo el archivo' })).toBeVisible();
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pausar' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancelar' })).toBeVisible();
  // The chosen image is shown during the upload, under a single spinner.
  await expect(image(page)).toHaveAttribute('src', /^blob:/);
  await expect(page.getByRole('main').locator('span[aria-hidden]:empty')).toHaveCount(1);

  held.release();
  await expect(image(page)).toHaveAttribute('src', /^\/files\/images\/cara%20de%20nadia/);
  await expect(image(page)).toHaveJSProperty('complete', true);
  await expect(image(page)).not.toHaveJSProperty('naturalWidth', 0);
  await expect(page.getByRole('progressbar')).toBeHidden();
  const img = ((await image(page).getAttribute('src')) ?? '').replace('/360.webp', '');
  const sent = await saving;
  expect(await sent.headerValue('authorization')).toBe(`Bearer ${person.token}`);
  expect(sent.postDataJSON()).toEqual({ id: person.id, email: person.email, img });
  await expect(headerImage(page)).toHaveAttribute('src', `${img}/90.webp`);
  expect(await readSession(page)).toMatchObject({ img, token: person.token, isLogged: 'true' });

  await page.reload();
  await expect(image(page)).toHaveAttribute('src', `${img}/360.webp`);
  await expect(headerImage(page)).toHaveAttribute('src', `${img}/90.webp`);

  await remove.press('Enter');
  await expect(page.getByRole('status').getByText('Foto de perfil quitada')).toBeVisible();
  await expect(headerImage(page)).toHaveAttribute('src', /default-avatar/);
  await expect(image(page)).toHaveAttribute('src', /default-avatar/);
  await expect(remove).toHaveCount(0);
  await expect(fileInput(page)).toBeFocused();
  expect(await readSession(page)).toMatchObject({ img: '' });
  const stored = () => forum.json<User>('GET', apiRoutes.me, { token: person.token });
  expect((await stored()).img).toBeNull();

  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(headerImage(page)).toHaveAttribute('src', `${img}/90.webp`);
  await expect(remove).toBeVisible();

  const { requests } = await holdRequests(page, 'POST', `**${apiRoutes.uploads}`);
  await fileInput(page).setInputFiles(await plainImage());
  await expect.poll(() => requests.length).toBe(1);
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await expect(image(page)).toHaveAttribute('src', `${img}/360.webp`);
  await fileInput(page).setInputFiles(await plainImage());
  await expect.poll(() => requests.length).toBe(2);
  await page.getByRole('link', { name: 'tertulia' }).click();
  await expect(statusBar(page)).toContainText(
    'La foto de perfil no ha cambiado: aún se estaba subiendo.',
  );
});

test('changes of the image are saved in their order, also when the page was left and opened again in between', async ({
  forum,
  openAs,
}) => {
  const person = await personWithoutImage(forum);
  const page = await openAs(person);
  await page.goto(pageRoutes.profile);
  await fileInput(page).setInputFiles(await plainImage());
  const remove = page.getByRole('button', { name: 'Quitar la foto' });
  await expect(remove).toBeVisible();
  const held = await holdRequests(page, 'PUT', `**${apiRoutes.updateImage}`);
  await remove.click();
  await expect.poll(() => held.requests.length).toBe(1);
  await page.getByRole('link', { name: 'tertulia' }).click();
  await expect(page).toHaveURL(pageRoutes.home);
  await page.goBack();
  await fileInput(page).setInputFiles(await plainImage('otra.png', '#114455'));
  await expect(page.getByRole('progressbar')).toBeHidden();
  await expect(page.getByRole('main').locator('[aria-busy="true"]')).toBeVisible();
  await afterFrames(page);
  expect(held.requests).toHaveLength(1);
  held.release();
  await expect(image(page)).toHaveAttribute('src', /^\/files\/images\/otra/);
  expect(held.requests).toHaveLength(2);
});

test.describe('a profile image that is rejected', () => {
  test.use({ expectedErrors: [/status of (422|500)|tus: .*422|internal_error|no es una imagen/] });

  test('because saving fails keeps the previous one and shows an error; the next one is shown on all channels and comments of the user', async ({
    forum,
    openAs,
  }) => {
    const person = await personWithoutImage(forum);
    const other = await forum.person('Otro');
    const { _id } = await openChannel(forum, person);
    await forum.comment(person, _id, 'Escrito antes de tener cara');
    await forum.comment(other, _id, 'De otra persona');
    const page = await openAs(person);
    await page.goto(`/channel/${_id}`);
    const mine = (visitor: Page) =>
      commentsShown(visitor).filter({ hasText: 'antes de tener cara' });
    const theirs = commentsShown(page).filter({ hasText: 'De otra persona' });
    await expect(mine(page).locator('img')).toHaveAttribute('src', '/default-avatar.svg');

    await failOnce(page, 'PUT', `**${apiRoutes.updateImage}`, respondWithProblem('internal_error'));
    await page.getByRole('button', { name: 'Menú de usuario' }).click();
    await page.getByRole('link', { name: 'Perfil' }).click();
    await fileInput(page).setInputFiles(await plainImage());
    await expect(page.getByRole('alert')).toContainText('No se pudo cambiar la foto de perfil.');
    await expect(image(page)).toHaveAttribute('src', '/default-avatar.svg');
    await expect(headerImage(page)).toHaveAttribute('src', '/default-avatar.svg');
    expect(await readSession(page)).toMatchObject({ img: '' });

    await fileInput(page).setInputFiles(await plainImage('cara nueva.png', '#11bb77'));
    await expect(image(page)).toHaveAttribute('src', /cara%20nueva/);
    await expect(page.getByRole('alert')).toHaveCount(0);
    const img = ((await image(page).getAttribute('src')) ?? '').replace('/360.webp', '');

    await page.goBack();
    await expect(mine(page).locator('img')).toHaveAttribute('src', `${img}/90.webp`);
    await expect(theirs.locator('img')).toHaveAttribute('src', '/default-avatar.svg');
  });
});
