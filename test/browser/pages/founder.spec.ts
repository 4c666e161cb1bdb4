import type { Page } from '@playwright/test';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { sendButton } from '../comments.ts';
import { createButton, descriptionField, titleField, uploadedMark } from '../create-form.ts';
import { expect, test } from '../fixtures.ts';

const steps = (page: Page) => page.getByRole('main').getByRole('list').getByRole('listitem');
const shareButton = (page: Page) => page.getByRole('button', { name: 'Compartir' });

test.describe('before the first channel', () => {
  test.use({ forumName: 'founded' });

  test('an empty forum leads its founder in three steps to the first channel and its link', async ({
    page,
    forum,
    openAs,
  }) => {
    await page.goto(pageRoutes.home);
    await expect(page.getByText('Aún no hay canales')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Abre el primer canal' })).toBeVisible();
    await expect(page.getByRole('searchbox')).toHaveCount(0);
    await expect(page.getByRole('navigation', { name: 'Orden de los canales' })).toHaveCount(0);
    await expect(steps(page)).toHaveCount(3);
    await steps(page).getByRole('link', { name: 'Crea tu cuenta' }).click();
    await expect(page).toHaveURL(pageRoutes.register);

    const founder = await openAs(await forum.person(), {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await founder.goto(pageRoutes.home);
    await expect(steps(founder).first()).toHaveText(
      'Ya tienes cuentaCon ella abres canales y comentas.',
    );
    await steps(founder).getByRole('link', { name: 'Crea un canal' }).click();
    await expect(founder).toHaveURL(pageRoutes.create);
    await titleField(founder).fill('El de todos');
    await descriptionField(founder).fill('Para empezar.');
    await founder.getByRole('button', { name: 'Usar un azulejo' }).click();
    await expect(uploadedMark(founder)).toBeVisible();
    await createButton(founder).click();
    await founder.getByRole('link', { name: 'Ver el canal' }).click();
    await expect(founder.getByText('Aún no hay comentarios')).toBeVisible();
    await expect(founder.getByText(/Empieza la conversación o comparte el enlace/)).toBeVisible();
    await shareButton(founder).click();
    await expect(founder.getByText('Enlace copiado')).toBeVisible();
    expect(await founder.evaluate(() => navigator.clipboard.readText())).toBe(founder.url());

    await founder.getByLabel('Escribe un comentario').fill('Hola a todos');
    await sendButton(founder).click();
    await expect(founder.locator('#comentario-1')).toContainText('Hola a todos');
    await expect(founder.getByText(/^Comparte el enlace con tu grupo/)).toBeVisible();
    await founder.goto(pageRoutes.home);
    await expect(founder.getByRole('searchbox')).toBeVisible();
    await expect(founder.getByText('Abre el primer canal')).toHaveCount(0);
  });
});
