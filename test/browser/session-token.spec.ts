import { pageRoutes } from '../../src/shared/routes.ts';
import { commentField } from './comments.ts';
import { openChannel } from './community.ts';
import { expect, test } from './fixtures.ts';
import { openWithNews, signInByForm } from './people.ts';

test.use({ expectedErrors: [/status of (403 .* at \S+\/channels\/comment$|401)/] });

test("a comment is rejected when another user's token has replaced the session's", async ({
  forum,
  openAs,
}) => {
  const [ana, bruno] = [await forum.person('Ana Belén'), await forum.person('Bruno Paz')];
  const { _id } = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(_id));
  await commentField(page).fill('De Ana');
  await page.evaluate((token) => sessionStorage.setItem('token', token), bruno.token);
  await page.getByRole('button', { name: 'Comentar', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('con tu propia cuenta');
  await expect(commentField(page)).toHaveValue('De Ana');
});

for (const [how, value] of [
  ['is empty', ''],
  ['is missing', null],
] as const) {
  test(`a session token that ${how} counts as a lost session`, async ({ forum, openAs }) => {
    const ana = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, ana);
    const page = await openAs(ana);
    await openWithNews(page, pageRoutes.channel(_id));
    await commentField(page).fill('No se pierde');
    await page.evaluate((token) => {
      if (token === null) sessionStorage.removeItem('token');
      else sessionStorage.setItem('token', token);
    }, value);
    await page.getByRole('button', { name: 'Comentar', exact: true }).click();
    await expect(page).toHaveURL(pageRoutes.login);
    await signInByForm(page, ana.email, ana.password);
    await expect(page).toHaveURL('/');
    await page.goto(pageRoutes.channel(_id));
    await expect(commentField(page)).toHaveValue('No se pierde');
  });
}
