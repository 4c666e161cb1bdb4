import type { Page } from '@playwright/test';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { remembered, site } from '../../push/remembered.ts';
import { expect, test } from '../fixtures.ts';

test.use({ forumName: 'pushed', forumSettings: { PUBLIC_URL: site } });

const viewport = { width: 375, height: 800 };
const section = (page: Page) => page.getByRole('region', { name: 'Avisos en este aparato' });

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
  await expect(tab.getByRole('button', { name: 'Activar avisos en este aparato' })).toHaveCount(0);
  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1';
  const phone = await openAs(ana, { viewport, userAgent });
  await phone.addInitScript(() => Reflect.deleteProperty(window, 'PushManager'));
  await phone.goto(pageRoutes.settings);
  await expect(section(phone)).toContainText('añade antes el foro a la pantalla de inicio');
});
