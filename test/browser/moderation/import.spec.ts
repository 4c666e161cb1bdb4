import type { Page } from '@playwright/test';
import { buildIndex } from '../../../src/server/search-index/build-index.ts';
import { pageRoutes, searchUrl } from '../../../src/shared/routes.ts';
import { zipOf } from '../../attacks/hostile-files.ts';
import { changeSettings } from '../../forum/change-settings.ts';
import type { Forum } from '../../forum/forum.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { expect, test } from '../fixtures.ts';
import { photo } from '../images.ts';
import { statusBar } from '../status-bar.ts';

test.use({ forumName: 'moving-in', expectedErrors: [/status of 40[09]/] });

const chat = [
  '15/3/24, 9:04 - Los mensajes y las llamadas están cifrados de extremo a extremo.',
  '15/3/24, 9:05 - Ana Soler: El fontanero es el 600 111 222',
  '15/3/24, 9:06 - Ana Trabajo: IMG-20240315-WA0001.jpg (archivo adjunto)',
  '16/3/24, 10:00 - +34 600 333 444: Gracias',
  '16/3/24, 10:01 - Publicidad: Compra aquí',
].join('\n');

/** A ZIP as a phone exports it. */
const exported = async (text: string) => ({
  name: 'Chat de WhatsApp con Vecinos.zip',
  mimeType: 'application/zip',
  buffer: zipOf({
    'Chat de WhatsApp con Vecinos.txt': text,
    'IMG-20240315-WA0001.jpg': (await photo()).buffer,
  }),
});

const plain = (text: string) => ({
  name: 'Chat de WhatsApp con Coro.txt',
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
});

const chooser = (page: Page) => page.getByLabel('Elegir el archivo del chat');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Opens the page as an admin of a community that its members read. */
async function openImport(
  forum: Forum,
  openAs: (person: Awaited<ReturnType<typeof makeStaff>>) => Promise<Page>,
) {
  await changeSettings(forum, {
    readers: 'members',
    contact: 'Llama a Marga',
    zone: 'Europe/Madrid',
  });
  const admin = await makeStaff(forum, 'admin', 'Alba');
  const page = await openAs(admin);
  await page.goto(pageRoutes.moderation);
  await page.getByRole('link', { name: 'Traer un grupo' }).click();
  return { admin, page };
}

test('an admin brings a group: merges, renames and leaves out people, finds a picture and old words, and opens it', async ({
  forum,
  openAs,
}) => {
  const { page } = await openImport(forum, openAs);
  await chooser(page).setInputFiles(await exported(chat));
  await expect(page.getByText('4 mensajes de 4 personas, con 1 foto o archivo')).toBeVisible();
  await expect(page.getByText('No viene: 1 aviso de WhatsApp')).toBeVisible();
  await expect(page.getByLabel('Nombre del canal')).toHaveValue('Vecinos');
  const unnamed = page.getByLabel('+34 600 333 444', { exact: true });
  await expect(unnamed).toHaveValue('Persona 1');
  await unnamed.fill('600 333 444');
  await press(page, 'Traer el grupo');
  await expect(page.getByText('Un teléfono no puede ser un nombre.')).toBeVisible();
  await expect(unnamed).toBeFocused();

  await unnamed.fill('Luis');
  await page.getByLabel('Ana Trabajo', { exact: true }).fill('Ana Soler');
  await page.getByLabel('Dejar fuera a Publicidad').check();
  await expect(
    page.getByText('En el canal: 2 personas. Se juntan: Ana Soler. Se queda fuera: 1.'),
  ).toBeVisible();
  await press(page, 'Traer el grupo');
  const moved = page.getByRole('region', { name: 'Lo que se trajo' }).getByRole('listitem');
  await expect(moved).toContainText('Se trajeron 3 mensajes. Por ahora solo se lee');
  await press(page, 'Abrir el canal');
  await expect(statusBar(page)).toContainText('Canal abierto');
  await expect(moved).toContainText('Está abierto');

  await page.getByRole('link', { name: 'Vecinos' }).click();
  const first = page.getByRole('listitem').filter({ hasText: 'El fontanero' });
  await expect(first).toContainText('del grupo de antes');
  await expect(first.getByText('Ana Soler')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Ana Soler' })).toHaveCount(0);
  await expect(page.getByText('Compra aquí')).toHaveCount(0);
  await expect(
    page.getByRole('listitem').filter({ hasText: 'Ana Soler' }).locator('img'),
  ).toHaveCount(1);
  await buildIndex(forum.services, new AbortController().signal);
  await page.goto(searchUrl({ q: 'fontanero' }));
  await expect(page.getByRole('article').filter({ hasText: '600 111 222' })).toBeVisible();
});

/** Lets an import write two batches, and then wait until `goOn` is called. */
function holdBatches({ services }: Forum) {
  const { withTransaction } = services;
  const { promise, resolve: goOn } = Promise.withResolvers<void>();
  let batches = 0;
  services.withTransaction = async (key, work) => {
    if (key.startsWith('channel ') && ++batches > 2) await promise;
    return withTransaction(key, work);
  };
  return { goOn, [Symbol.dispose]: () => Object.assign(services, { withTransaction }) };
}

test('an import shows its progress in every tab, is cancelled, goes on with the same file, and is undone', async ({
  forum,
  openAs,
}) => {
  const { page, admin } = await openImport(forum, openAs);
  const lines = Array.from({ length: 1000 }, (_, index) => `15/3/24, 9:05 - Ana: número ${index}`);
  const file = plain(lines.join('\n'));
  await chooser(page).setInputFiles(file);
  using batches = holdBatches(forum);
  await press(page, 'Traer el grupo');
  await expect(page.getByText(/^400 de 1000 mensajes/)).toBeVisible();
  const other = await openAs(admin);
  await other.goto(pageRoutes.movingIn);
  await expect(other.getByText(/^400 de 1000 mensajes/)).toBeVisible();
  await press(page, 'Cancelar');
  const moved = page.getByRole('listitem').filter({ hasText: 'Coro' });
  const cancelled = 'Se canceló. Se trajeron 400 de 1000 mensajes.';
  await expect(moved).toContainText(cancelled);
  batches.goOn();
  await expect(other.getByRole('listitem').filter({ hasText: cancelled })).toBeVisible();

  await chooser(page).setInputFiles(file);
  await expect(page.getByText('Ese canal se quedó a medias: seguirá donde estaba.')).toBeVisible();
  await press(page, 'Traer el grupo');
  await expect(moved).toContainText('Se trajeron 1000 mensajes.');
  await moved.getByRole('button', { name: 'Deshacer' }).click();
  await press(page, 'Borrarlo todo');
  await expect(statusBar(page)).toContainText('Deshecho');
  await expect(moved).toHaveCount(0);
});

test('leaving the decisions about a chat asks first, and a first day that was chosen stays when the order of dates is', async ({
  forum,
  openAs,
}) => {
  const { page } = await openImport(forum, openAs);
  await chooser(page).setInputFiles(plain('3/4/24, 9:05 - Eva: Hola\n5/4/24, 9:05 - Eva: Adiós'));
  const day = page.getByLabel('Desde qué día');
  await page.getByRole('radio', { name: 'Primero el día' }).check();
  await expect(day).toHaveValue('2024-04-03');
  await page.getByRole('radio', { name: 'Primero el mes' }).check();
  await expect(day).toHaveValue('2024-03-04');
  await day.fill('2024-04-04');
  await page.getByRole('radio', { name: 'Primero el día' }).check();
  await expect(day).toHaveValue('2024-04-04');
  const [dialog] = await Promise.all([
    page.waitForEvent('dialog'),
    page.close({ runBeforeUnload: true }),
  ]);
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  // The next test begins without a file.
  await press(page, 'Borrarlo y elegir otro');
  await expect(chooser(page)).toBeAttached();
});

test('a community of members is opened to everybody only once an admin confirms that words of people without an account are shown; then nothing can be brought', async ({
  forum,
  openAs,
}) => {
  const { page } = await openImport(forum, openAs);
  await chooser(page).setInputFiles(plain('15/3/24, 9:05 - Eva: Hola'));
  await page.getByLabel('Nombre del canal').fill('Tenores');
  await press(page, 'Traer el grupo');
  await expect(page.getByText('Se trajo 1 mensaje.')).toBeVisible();
  await page.goto(pageRoutes.siteSettings);
  await page.getByRole('radio', { name: 'Cualquiera', exact: true }).first().check();
  await page.getByLabel('De acuerdo', { exact: true }).check();
  await press(page, 'Guardar');
  await expect(page.getByRole('alert')).toContainText('personas que no tienen cuenta');
  await page.getByLabel('De acuerdo: cualquiera leerá lo que escribieron').check();
  await press(page, 'Guardar');
  await expect(statusBar(page)).toContainText('Ajustes guardados');
  await page.goto(pageRoutes.movingIn);
  await expect(chooser(page)).toHaveCount(0);
  await page.getByRole('main').getByRole('link', { name: 'Ajustes de la comunidad' }).click();
  await expect(page).toHaveURL(pageRoutes.siteSettings);
});
