import { pageRoutes } from '../../src/shared/routes.ts';
import { Forum } from '../forum/forum.ts';
import { expect, test } from './fixtures.ts';
import { rememberBox } from './people.ts';
import { expectNoOverflow } from './view-checks.ts';

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
    /Si no la marcas, tendrás que entrar en cada pestaña nueva/,
  );
});

for (const contact of ['hola@foro.example', 'Pregunta a Marta, en recepción.']) {
  test(`who has no code is told whom to ask: ${contact}`, async ({ page }) => {
    const forum = await Forum.start('sqlite', { CONTACT: contact });
    try {
      await page.goto(forum.url + pageRoutes.recover);
      await expect(page.getByRole('listitem').filter({ hasText: contact })).toContainText(
        'Si no tienes códigos',
      );
      const link = page.getByRole('link', { name: contact });
      if (contact.includes('@')) await expect(link).toHaveAttribute('href', `mailto:${contact}`);
      else await expect(link).toHaveCount(0);
      await page.goto('about:blank');
    } finally {
      await forum.stop();
    }
  });
}

test('only the page that tells whom to ask has it in its source, also when a link leads there', async ({
  page,
}) => {
  const contact = 'hola@foro.example';
  const forum = await Forum.start('sqlite', { CONTACT: contact });
  try {
    for (const path of [pageRoutes.home, pageRoutes.login, pageRoutes.recover]) {
      const html = await (await fetch(forum.url + path)).text();
      expect(html.includes(contact), path).toBe(path === pageRoutes.recover);
    }
    await page.goto(forum.url + pageRoutes.login);
    await page.getByRole('link', { name: 'Recuperar el acceso' }).click();
    await expect(page.getByRole('link', { name: contact })).toBeVisible();
    await page.goto('about:blank');
  } finally {
    await forum.stop();
  }
});

test('a long word of whom to ask fits narrow windows', async ({ page }) => {
  const forum = await Forum.start('sqlite', { CONTACT: `${'larguisima'.repeat(8)}@foro.example` });
  try {
    await page.goto(forum.url + pageRoutes.recover);
    await expectNoOverflow(page);
    await page.goto('about:blank');
  } finally {
    await forum.stop();
  }
});
