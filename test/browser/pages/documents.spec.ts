import { documentsUrl, pageRoutes } from '../../../src/shared/routes.ts';
import { openChannel } from '../community.ts';
import { commentWithFiles, pdf } from '../files.ts';
import { expect, test } from '../fixtures.ts';

// The list has the files of all channels.
test.use({ forumName: 'documents' });

for (const javaScriptEnabled of [true, false]) {
  test(`documents are found by name, in all channels or in one, ${javaScriptEnabled ? 'by script' : 'without scripts'}`, async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana');
    const [street, choir] = [
      await openChannel(forum, ana, { name: 'La calle' }),
      await openChannel(forum, ana, { name: 'El coro' }),
    ];
    await commentWithFiles(forum, ana, street._id, '', [pdf('Acta de marzo.pdf')]);
    await commentWithFiles(forum, ana, street._id, 'Van', [pdf('Presupuesto.pdf')]);
    await commentWithFiles(forum, ana, choir._id, '', [pdf('Acta del coro.pdf')]);
    const page = await openAs(null, { javaScriptEnabled });
    await page.goto(pageRoutes.home);
    await page.getByRole('link', { name: 'Documentos' }).click();
    await expect(page).toHaveTitle(/^Documentos · /);
    const items = page.getByRole('main').getByRole('listitem');
    await expect(items.first()).toContainText('Acta del coro.pdf');
    await expect(items.first()).toContainText('El coro');

    const field = page.getByRole('searchbox', { name: 'Buscar documentos por su nombre' });
    await field.fill(' ACTA ');
    await field.press('Enter');
    await expect(items.filter({ hasText: 'Presupuesto' })).toHaveCount(0);
    await expect(items.filter({ hasText: 'Acta de marzo.pdf' }).first()).toBeVisible();
    await page.getByRole('link', { name: 'La calle' }).first().click();
    await expect(page).toHaveURL(documentsUrl({ channel: street._id }));
    await expect(items).toHaveText([/^Presupuesto\.pdf/, /^Acta de marzo\.pdf/]);
    await expect(field).toHaveValue('');
    await field.fill('coro');
    await field.press('Enter');
    await expect(page).toHaveURL(documentsUrl({ q: 'coro', channel: street._id }));
    await expect(page.getByText('Ningún documento tiene eso en el nombre.')).toBeVisible();
    await page.getByRole('link', { name: 'Ver los de todos los canales' }).click();
    await expect(items.first()).toContainText('Acta del coro.pdf');
    await expect(field).toHaveValue('coro');
    await items.first().locator('time').click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('El coro');
  });
}
