import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { browserSubscription, remembered, site } from '../../push/remembered.ts';
import { expect, test } from '../fixtures.ts';
import { statusBar } from '../status-bar.ts';

test.use({ forumName: 'pushed', forumSettings: { PUBLIC_URL: site } });

const viewport = { width: 375, height: 800 };
const section = (page: Page) => page.getByRole('region', { name: 'Avisos en este dispositivo' });
const start = (page: Page) =>
  page.getByRole('button', { name: 'Activar avisos en este dispositivo' });

test('where push messages cannot be switched on, the settings say what to do', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana');
  const blocked = await openAs(await remembered(forum, ana), { viewport });
  await blocked.addInitScript((id) => {
    if (location.origin === 'null') return;
    localStorage.setItem('remembered', id);
    Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
  }, ana.id);
  await blocked.goto(pageRoutes.settings);
  await expect(section(blocked)).toContainText('tiene bloqueados los avisos del foro');
  const tab = await openAs(ana, { viewport });
  await tab.goto(pageRoutes.settings);
  await expect(section(tab)).toContainText('Solo donde se mantiene la sesión');
  await tab.goto(pageRoutes.notifications);
  await expect(tab.getByRole('heading', { name: 'Para ti' })).toBeVisible();
  await expect(start(tab)).toHaveCount(0);
  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1';
  const phone = await openAs(ana, { viewport, userAgent });
  await phone.addInitScript(() => Reflect.deleteProperty(window, 'PushManager'));
  await phone.goto(pageRoutes.settings);
  await expect(section(phone)).toContainText('añade antes el foro a la pantalla de inicio');
  const old = await openAs(ana, { viewport });
  await old.addInitScript(() => Reflect.deleteProperty(window, 'PushManager'));
  await old.goto(pageRoutes.settings);
  await expect(section(old)).toContainText('Este navegador no puede recibir avisos.');
  await old.goto(pageRoutes.notifications);
  await expect(old.getByRole('heading', { name: 'Para ti' })).toBeVisible();
  await expect(start(old)).toHaveCount(0);
});

test('the settings name all devices that get push messages and change what they get; on an iPad, they say that its app has a session of its own', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana');
  for (let device = 1; device <= 2; device++) {
    const { token } = await remembered(forum, ana);
    await forum.json('POST', apiRoutes.push, { token, body: browserSubscription() });
  }
  const userAgent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15';
  const page = await openAs(ana, { viewport, userAgent });
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'maxTouchPoints', { get: () => 5 }),
  );
  await page.goto(pageRoutes.settings);
  await expect(section(page)).toContainText(/Los recibes en 2 dispositivos: .+ y .+\./);
  await expect(section(page)).toContainText(
    'la aplicación de la pantalla de inicio tiene su propia',
  );
  const excerpts = section(page).getByLabel('Con el comienzo del texto');
  const quiet = section(page).getByLabel('No molestar de 22 a 8');
  for (const isOn of [true, false]) {
    await excerpts.setChecked(isOn);
    await quiet.setChecked(isOn);
    await section(page).getByRole('button', { name: 'Guardar' }).click();
    await expect(statusBar(page)).toContainText('Guardado');
    await page.reload();
    await expect(excerpts).toBeChecked({ checked: isOn });
    await expect(quiet).toBeChecked({ checked: isOn });
  }
});
