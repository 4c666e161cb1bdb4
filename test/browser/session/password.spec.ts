import type { Page } from '@playwright/test';
import { passwordToken } from '../../forum/operator.ts';
import { expect, test } from '../fixtures.ts';
import { expectSignedIn, readSession, signInByForm } from '../people.ts';

const password = 'otra contraseña: ñandú';
const first = (page: Page) => page.getByLabel('Contraseña', { exact: true });
const second = (page: Page) => page.getByLabel('Repite la contraseña');
const save = (page: Page) => page.getByRole('button', { name: 'Guardar la contraseña' });

async function fill(page: Page, one: string, other: string) {
  await first(page).fill(one);
  await second(page).fill(other);
  await save(page).click();
}

test('a password link sets a new password, with which its owner signs in', async ({
  page,
  forum,
}) => {
  const person = await forum.person();
  const token = await passwordToken(forum, person.email);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  // The link was pasted with invisible characters.
  await page.goto(`/password#\u202a${token}\u200b`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contraseña nueva');

  await fill(page, password, 'distinta');
  await expect(page.getByText('Las contraseñas no coinciden.')).toBeVisible();
  await fill(page, password, password);
  await expect(page).toHaveURL('/login');
  await signInByForm(page, person.email, password);
  await expectSignedIn(page, person);
  expect(asked.filter((url) => url.replace(/#.*/, '').includes(token))).toEqual([]);
});

test.describe('an invalid password link', () => {
  test.use({ expectedErrors: [/status of 403/] });

  test('says so: without a token at once, until a link is opened, else when it is used', async ({
    page,
    forum,
  }) => {
    for (const fragment of ['', '#']) {
      await page.goto(`/password${fragment}`);
      await expect(page.getByRole('alert')).toHaveText(/^A este enlace le falta una parte/);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contraseña nueva');
      await expect(save(page)).toHaveCount(0);
    }
    const token = await passwordToken(forum, (await forum.person()).email);
    await page.evaluate((hash) => {
      location.hash = hash;
    }, token.slice(1));
    await expect(save(page)).toBeEnabled();
    await fill(page, password, password);
    await expect(page.getByRole('alert')).toHaveText(/^Este enlace ya se usó, ha caducado/);
  });
});

test('setting a new password ends the session in this browser', async ({ openAs, forum }) => {
  const person = await forum.person();
  const page = await openAs(person);
  await page.goto(`/password#${await passwordToken(forum, person.email)}`);
  await fill(page, password, password);
  await expect(page).toHaveURL('/login');
  // The page is loaded anew, which may interrupt the reading.
  await expect(async () => expect(await readSession(page)).toEqual({})).toPass();
});
