import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { passwordToken } from '../../forum/operator.ts';
import { expect, test } from '../fixtures.ts';
import { watchRequests } from '../network.ts';
import { expectSignedIn, readSession, signInByForm, untilReloaded } from '../people.ts';

const field = (page: Page) => page.getByLabel('Contraseña', { exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Guardar la contraseña' });
const signUp = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'Registrarse', exact: true });

async function setPassword(page: Page, password: string) {
  await field(page).fill(password);
  await save(page).click();
}

test.describe('a password link', () => {
  test.use({ expectedErrors: [/status of 400/] });

  test('ends the session in this browser, and sets a new password, with which its owner signs in', async ({
    openAs,
    forum,
  }) => {
    const person = await forum.person();
    const page = await openAs(person);
    const token = await passwordToken(forum, person.email);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    // The link was pasted with invisible characters.
    await page.goto(`/password#\u202a${token}\u200b`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contraseña nueva');

    await setPassword(page, '123456');
    await expect(field(page)).toHaveAccessibleDescription(/^Es una de las contraseñas más usadas/);
    await save(page).click();
    await expect(page).toHaveURL(pageRoutes.login);
    await untilReloaded(page);
    expect(await readSession(page)).toEqual({});
    await signInByForm(page, person.email, '123456');
    await expectSignedIn(page, person);
    expect(asked.filter((url) => url.replace(/#.*/, '').includes(token))).toEqual([]);
  });
});

test.describe('an invalid password link', () => {
  test.use({ expectedErrors: [/status of 403/] });

  test('says so: without a token at once, until a link is opened, else when it is used', async ({
    page,
    forum,
  }) => {
    await page.goto(pageRoutes.password);
    await expect(page.getByRole('alert')).toHaveText(/^A este enlace le falta una parte/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contraseña nueva');
    await expect(save(page)).toHaveCount(0);
    const token = await passwordToken(forum, (await forum.person()).email);
    await page.evaluate((hash) => {
      location.hash = hash;
    }, token.slice(1));
    await expect(save(page)).toBeEnabled();
    await setPassword(page, 'una contraseña: ñandú');
    await expect(page.getByRole('alert')).toHaveText(/^Este enlace ya se usó, ha caducado/);
  });
});

test.describe('a new password', () => {
  test.use({ expectedErrors: [/status of 400/] });

  test('a password is shown and hidden by a button, which keeps focus and caret; one that is easily guessed is refused, and accepted when sent again', async ({
    page,
  }) => {
    const sent = watchRequests(page, 'POST', apiRoutes.signUp);
    const toggle = (name: string) => page.getByRole('button', { name: `${name} Contraseña` });
    const caret = () =>
      field(page).evaluate(({ selectionStart, selectionEnd }: HTMLInputElement) => [
        selectionStart,
        selectionEnd,
      ]);
    await page.goto(pageRoutes.register);
    await page.getByLabel('Nombre').fill('Olga Íñiguez');
    await page.getByLabel('Correo electrónico').fill(`olga.${crypto.randomUUID()}@ejemplo.es`);

    await field(page).fill('mi OLGA ÍÑIGUEZ de siempre');
    await field(page).evaluate((input: HTMLInputElement) => input.setSelectionRange(3, 7));
    await toggle('Mostrar').click();
    await expect(field(page)).toHaveAttribute('type', 'text');
    await expect(field(page)).toHaveAttribute('spellcheck', 'false');
    await expect(field(page)).toBeFocused();
    expect(await caret()).toEqual([3, 7]);
    await toggle('Ocultar').click();
    await expect(field(page)).toHaveAttribute('type', 'password');
    expect(await caret()).toEqual([3, 7]);
    await field(page).press('Tab');
    await expect(toggle('Mostrar')).toBeFocused();
    await page.keyboard.press('Space');
    await expect(toggle('Ocultar')).toBeFocused();

    await signUp(page).click();
    await expect(field(page)).toHaveAccessibleDescription(/^Contiene tu nombre o tu correo/);
    await expect(field(page)).toBeFocused();
    await expect(field(page), 'sending hides it').toHaveAttribute('type', 'password');
    await expect(field(page)).toHaveAttribute('aria-invalid', 'true');
    await field(page).fill('Qwerty');
    await signUp(page).click();
    await expect(field(page)).toHaveAccessibleDescription(/^Es una de las contraseñas más usadas/);
    await field(page).press('Enter');
    await expect(page).toHaveURL(pageRoutes.login);
    const bodies = sent.map((request) => request.postDataJSON());
    expect(bodies.map(({ password, warn }) => [password, warn])).toEqual([
      ['mi OLGA ÍÑIGUEZ de siempre', true],
      ['Qwerty', true],
      ['Qwerty', false],
    ]);
  });
});
