import { pageRoutes } from '../../src/shared/routes.ts';
import { changeSettings } from '../forum/change-settings.ts';
import { expect, test } from './fixtures.ts';
import { rememberBox } from './people.ts';
import { expectNoOverflow } from './view-checks.ts';

test.use({ forumName: 'arriving' });

test('the sign-up form says who sees the name, and that nobody is shown the e-mail address', async ({
  page,
}) => {
  await page.goto(pageRoutes.register);
  await expect(page.getByLabel('Nombre')).toHaveAccessibleDescription(/Lo verá todo el mundo/);
  await expect(page.getByLabel('Correo electrónico')).toHaveAccessibleDescription(
    /No se muestra a nadie/,
  );
});

test('the box for staying signed in says what happens without it', async ({ page }) => {
  await page.goto(pageRoutes.login);
  await expect(rememberBox(page)).toHaveAccessibleDescription(
    /^Si no marcas la casilla, tendrás que entrar en cada pestaña nueva, también al abrir un enlace de WhatsApp\./,
  );
});

test('who has no code is told whom to ask, only on the page that says so, also when a link leads there', async ({
  page,
  forum,
}) => {
  const contact = 'hola@foro.example';
  await changeSettings(forum, { contact });
  for (const path of [pageRoutes.home, pageRoutes.login, pageRoutes.recover]) {
    const html = await (await fetch(forum.url + path)).text();
    expect(html.includes(contact), path).toBe(path === pageRoutes.recover);
  }
  await page.goto(pageRoutes.login);
  await page.getByRole('link', { name: 'Recuperar el acceso' }).click();
  const advice = page.getByRole('listitem').filter({ hasText: 'Si no tienes códigos' });
  const link = advice.getByRole('link', { name: contact });
  await expect(link).toHaveAttribute('href', `mailto:${contact}`);
  await changeSettings(forum, { contact: 'Pregunta a Marta, en recepción.' });
  await page.goto(pageRoutes.recover);
  await expect(advice).toContainText('Pregunta a Marta, en recepción.');
  await expect(advice.getByRole('link')).toHaveCount(0);
  await changeSettings(forum, { contact: `${'larguisima'.repeat(8)}@foro.example` });
  await page.reload();
  await expect(advice).toContainText('larguisima');
  await expectNoOverflow(page);
});
