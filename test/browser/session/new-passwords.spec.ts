import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { passwordToken } from '../../forum/operator.ts';
import { expect, test } from '../fixtures.ts';
import { watchRequests } from '../network.ts';

const field = (page: Page) => page.getByLabel('Contraseña', { exact: true });
const submit = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true });

test('signing up warns about easily guessed passwords, which are accepted when sent again', async ({
  page,
}) => {
  const sent = watchRequests(page, 'POST', apiRoutes.signUp);
  const lists: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/assets/common-passwords')) lists.push(request.url());
  });
  const email = `olga.${crypto.randomUUID()}@ejemplo.es`;
  await page.goto(pageRoutes.register);
  await page.getByLabel('Nombre').fill('Olga Íñiguez');
  await page.getByLabel('Correo electrónico').fill(email);
  expect(lists).toHaveLength(0);

  await field(page).fill('mi OLGA ÍÑIGUEZ de siempre');
  await submit(page, 'Registrarse').click();
  await expect(field(page)).toHaveAccessibleDescription(/^Contiene tu nombre o tu correo/);
  await expect(field(page)).toBeFocused();
  await field(page).fill('Qwerty');
  await submit(page, 'Registrarse').click();
  await expect(field(page)).toHaveAccessibleDescription(/^Es una de las contraseñas más usadas/);
  expect(sent).toHaveLength(0);
  expect(lists).toHaveLength(1);
  await field(page).press('Enter');
  await expect(page).toHaveURL(pageRoutes.login);
  expect(sent.map((request) => request.postDataJSON().password)).toEqual(['Qwerty']);
});

test.describe('without the list of common passwords', () => {
  test.use({ expectedErrors: [/common-passwords/] });

  test('a new password is accepted without a warning', async ({ page, forum }) => {
    await page.route('**/assets/common-passwords*', (route) => route.abort());
    await page.goto(`/password#${await passwordToken(forum, (await forum.person()).email)}`);
    for (const input of [field(page), page.getByLabel('Repite la contraseña')]) {
      await input.fill('123456');
    }
    await submit(page, 'Guardar la contraseña').click();
    await expect(page).toHaveURL(pageRoutes.login);
  });
});

test('a button shows and hides a password, keeps focus and caret, and submitting hides it', async ({
  page,
}) => {
  await page.goto(pageRoutes.register);
  const toggle = (name: string) => page.getByRole('button', { name: `${name} Contraseña` });
  const caret = () =>
    field(page).evaluate(({ selectionStart, selectionEnd }: HTMLInputElement) => [
      selectionStart,
      selectionEnd,
    ]);
  await field(page).fill('caballo grapa');
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
  await page.getByLabel('Nombre').fill('Eva');
  await page.getByLabel('Correo electrónico').fill(`${crypto.randomUUID()}@ejemplo.es`);
  await field(page).fill('123456');
  await field(page).press('Enter');
  await expect(field(page)).toHaveAttribute('type', 'password');
  await expect(field(page)).toHaveAttribute('aria-invalid', 'true');
});
