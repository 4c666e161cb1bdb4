import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Person } from '../../forum/forum.ts';
import { startPushedForum } from '../../push/pushed-forum.ts';
import { remembered } from '../../push/remembered.ts';
import { chromiumOptions } from '../chromium.ts';
import { test as base, expect } from '../fixtures.ts';
import { signOut } from '../people.ts';
import { statusBar } from '../status-bar.ts';

const viewport = { width: 375, height: 800 };

interface Registered {
  registration: ServiceWorkerRegistration;
}

type Site = Awaited<ReturnType<typeof startPushedForum>>;

/** The test has its own forum, which pushes to a service of its own. */
const test = base.extend<{ site: Site; openRemembered: (person: Person) => Promise<Page> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
  site: async ({}, use) => {
    const site = await startPushedForum('sqlite');
    await use(site);
    await site.stop();
  },
  forum: async ({ site }, use) => use(site.forum),
  /** Opens a browser that stays signed in. This Chromium has no push service, so it is given the test's. */
  openRemembered: async ({ site, openAs }, use) =>
    use(async (person) => {
      const page = await openAs(await remembered(site.forum, person), { viewport });
      await page.addInitScript(
        ({ id, subscription }) => {
          if (location.origin === 'null') return;
          localStorage.setItem('remembered', id);
          const made = {
            ...subscription,
            toJSON: () => subscription,
            unsubscribe: async () => localStorage.removeItem('subscribed'),
          };
          const isMade = () => localStorage.getItem('subscribed') !== null;
          Object.assign(PushManager.prototype, {
            getSubscription: async () => (isMade() ? made : null),
            subscribe: async () => {
              localStorage.setItem('subscribed', 'true');
              return made;
            },
          });
        },
        { id: person.id, subscription: site.service.subscribe() },
      );
      return page;
    }),
});

// The headless shell shows no notifications.
test.use({
  launchOptions: chromiumOptions,
  expectedErrors: [/ERR_INTERNET_DISCONNECTED|Failed to fetch|status of (401|503)/],
});

const section = (page: Page) => page.getByRole('region', { name: 'Avisos en este dispositivo' });
const start = (page: Page) =>
  page.getByRole('button', { name: 'Activar avisos en este dispositivo' });

/** Delivers a message until it is shown: the devtools lose some while the browser is busy. */
async function deliver(page: Page, data: string, expected: Record<string, string>): Promise<void> {
  await expect(async () => {
    await closeShown(page);
    await deliverOnce(page, data);
    await expect.poll(() => shown(page), { timeout: 10_000 }).toMatchObject([expected]);
  }).toPass();
}

/** Gives a message to the service worker of the page, as the browser does that received it. */
async function deliverOnce(page: Page, data: string): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const { promise, resolve } = Promise.withResolvers<string>();
  cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
    if (first) resolve(first.registrationId);
  });
  await cdp.send('ServiceWorker.enable');
  const { origin } = new URL(page.url());
  await cdp.send('ServiceWorker.deliverPushMessage', {
    origin,
    registrationId: await promise,
    data,
  });
}

/** Closes a notification that came after it was no longer waited for. */
const closeShown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    for (const notification of await registration.getNotifications()) notification.close();
  });

const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const notifications = await registration.getNotifications();
    return notifications.map(({ title, body }) => ({ title, body }));
  });

/**
 * Presses the one message that is shown.
 * @returns the address that the service worker would open in a new window, null if it uses one that is open
 */
async function press(page: Page): Promise<string | null> {
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error('there is no service worker');
  return worker.evaluate(async () => {
    const scope = self as unknown as Worker & Record<'clients', object> & Registered;
    let opened: string | null = null;
    // A window opens only when a real notification was pressed.
    Object.assign(scope.clients, {
      openWindow: async (url: string) => {
        opened = url;
      },
    });
    const [notification] = await scope.registration.getNotifications();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    scope.dispatchEvent(
      Object.assign(new Event('notificationclick'), { notification, waitUntil: resolve }),
    );
    await promise;
    return opened;
  });
}

/** Switches push messages on, on the notifications page. */
async function switchOn(page: Page): Promise<void> {
  await page.context().grantPermissions(['notifications']);
  await page.goto(pageRoutes.notifications);
  await start(page).click();
  await expect(statusBar(page)).toContainText('Avisos activados en este dispositivo');
}

const registrations = (page: Page) =>
  page.evaluate(() => navigator.serviceWorker.getRegistrations());

test('push messages are switched on by a button, say what the person chose, open the place, and are switched off; with them, a page without a connection says so and opens once it is back', async ({
  site,
  openRemembered,
}) => {
  const ana = await site.forum.person('Ana');
  const page = await openRemembered(ana);
  await page.context().grantPermissions(['notifications']);
  await page.goto(pageRoutes.notifications);
  await start(page).click();
  await expect(statusBar(page)).toContainText('Avisos activados en este dispositivo');
  await expect(start(page)).toHaveCount(0);

  await page.goto(pageRoutes.settings);
  await expect(section(page)).toContainText(/Los recibes en 1 dispositivo: .+ \(este\)\./);
  await section(page).getByLabel('Con el comienzo del texto').check();
  await section(page).getByLabel('No molestar de 22 a 8').check();
  await section(page).getByRole('button', { name: 'Guardar' }).click();
  await expect(statusBar(page)).toContainText('Guardado');
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(await site.settingsOf(ana)).toMatchObject({ excerpts: true, quietZone: zone });

  await site.change(ana, { quietZone: 'Asia/Kolkata' });
  await page.reload();
  await expect(section(page)).toContainText('en la hora de Asia/Kolkata.');
  await section(page).getByLabel('Con el comienzo del texto').uncheck();
  await section(page).getByRole('button', { name: 'Guardar' }).click();
  await expect(statusBar(page)).toContainText('Guardado');
  expect(await site.settingsOf(ana)).toMatchObject({ excerpts: false, quietZone: 'Asia/Kolkata' });

  await site.change(ana, { quietZone: null, excerpts: true });
  const { channelId } = await site.answered(ana, 'Nos vemos <b>allí</b> 👋');
  site.wait(60_000);
  const [message] = await site.pushed();
  const expected = { title: 'Bea te respondió en Cine', body: 'Nos vemos <b>allí</b> 👋' };
  await deliver(page, message?.payload ?? '', expected);
  expect(await press(page)).toBeNull();
  await expect(page).toHaveURL(`${site.forum.url}/channel/${channelId}?n=2#comentario-2`);
  await expect.poll(() => shown(page)).toEqual([]);
  await deliver(page, 'no es JSON', { title: 'Tienes avisos nuevos' });

  await page.context().setOffline(true);
  await page.goto(pageRoutes.home);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sin conexión');
  await page.getByRole('link', { name: 'Volver a intentarlo' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sin conexión');
  await page.context().setOffline(false);
  await expect(page.getByRole('banner')).toBeVisible();
  expect(await page.evaluate(() => caches.keys())).toEqual([]);

  await page.goto(pageRoutes.settings);
  await section(page)
    .getByRole('button', { name: 'Quitar los avisos de este dispositivo' })
    .click();
  await expect(statusBar(page)).toContainText('Este dispositivo ya no recibe avisos');
  await expect(start(page)).toBeVisible();
  expect((await site.settingsOf(ana)).devices).toEqual([]);
  expect(await registrations(page)).toEqual([]);
});

test('a browser whose session ends, here or elsewhere, has no service worker', async ({
  site,
  openRemembered,
}) => {
  const ana = await site.forum.person('Ana');
  const endElsewhere = async (page: Page) => {
    const { token } = await site.forum.newSession(ana);
    await site.forum.json('DELETE', apiRoutes.sessions, { token });
    await page.goto(pageRoutes.home);
    await expect(page.getByText('Tu sesión ha terminado.')).toBeVisible();
  };
  for (const end of [signOut, endElsewhere]) {
    const page = await openRemembered(ana);
    await page.context().grantPermissions(['notifications']);
    await page.goto(pageRoutes.settings);
    await start(page).click();
    await expect(statusBar(page)).toContainText('Avisos activados');
    expect(await registrations(page)).toHaveLength(1);
    await end(page);
    await expect.poll(() => registrations(page)).toEqual([]);
  }
});

test('push messages that the person or the browser does not allow are not switched on, and the reason is said', async ({
  site,
  openRemembered,
}) => {
  const ana = await site.forum.person('Ana');
  const page = await openRemembered(ana);
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript(() => {
    const answers = ['default', 'denied', 'granted', 'granted'];
    Notification.requestPermission = async () => answers.shift() as NotificationPermission;
    const { subscribe } = PushManager.prototype;
    PushManager.prototype.subscribe = async () => {
      PushManager.prototype.subscribe = subscribe;
      throw new DOMException('push service error', 'AbortError');
    };
  });
  await page.goto(pageRoutes.settings);
  for (const reason of [
    'Para recibirlos, permítelos en el navegador.',
    'Este navegador tiene bloqueados los avisos del foro.',
    'El navegador no ha podido activarlos.',
  ]) {
    await start(page).click();
    await expect(statusBar(page)).toContainText(`No se pudieron activar los avisos. ${reason}`);
  }
  expect((await site.settingsOf(ana)).devices).toEqual([]);
  await start(page).click();
  await expect(statusBar(page)).toContainText('Avisos activados en este dispositivo');
});

test('a press opens the place in the window that was used last, without loading it anew, and the page asks again; what was read leaves the tray', async ({
  site,
  openRemembered,
}) => {
  const ana = await site.forum.person('Ana');
  const page = await openRemembered(ana);
  await switchOn(page);
  const load = await page.evaluate(() => performance.timeOrigin);
  const { channelId, other } = await site.answered(ana, 'La primera');
  await expect(page.getByText('No tienes avisos')).toBeVisible();
  site.wait(60_000);
  const [first] = await site.pushed();
  const title = 'Bea te respondió en Cine';
  await deliver(page, first?.payload ?? '', { title });
  expect(await press(page)).toBeNull();
  await expect(page).toHaveURL(`/channel/${channelId}?n=2#comentario-2`);
  await expect(page.getByText('La primera', { exact: true })).toBeVisible();

  // The page that is open is the one that the message leads to, and shows what was there when it was opened.
  await page.goBack();
  await expect(page.getByText('en Cine')).toHaveCount(1);
  await site.forum.comment(other, channelId, 'La segunda', { replyTo: 1 });
  const several = { title: '2 avisos', body: '', url: pageRoutes.notifications, tag: 'several' };
  await deliver(page, JSON.stringify(several), { title: '2 avisos' });
  await expect(page.getByText('La segunda')).toHaveCount(0);
  expect(await press(page)).toBeNull();
  await expect(page.getByText('La segunda')).toBeVisible();
  await expect(page).toHaveURL(pageRoutes.notifications);
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(load);

  // What the person reads in the forum, and not by the message.
  await page.goForward();
  await expect(page.getByText('La segunda', { exact: true })).toBeVisible();
  await site.forum.comment(other, channelId, 'La tercera', { replyTo: 1 });
  await expect(page.getByText('La tercera', { exact: true })).toBeVisible();
  await deliver(page, JSON.stringify({ ...several, title: '1 aviso' }), { title: '1 aviso' });
  await page.goBack();
  await expect.poll(() => shown(page)).toEqual([]);
});

test('a press leaves the tab of another account alone, and leads on from the page for lost connections', async ({
  site,
  openRemembered,
}) => {
  const [ana, eva] = [await site.forum.person('Ana'), await site.forum.person('Eva')];
  const page = await openRemembered(ana);
  await switchOn(page);
  const message = { title: 'Bea te citó', body: '', url: '/notifications?de=aviso', tag: '' };
  await page.goto(pageRoutes.home);
  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sin conexión');
  await deliver(page, JSON.stringify(message), { title: 'Bea te citó' });
  expect(await press(page)).toBeNull();
  await expect(page).toHaveURL('/notifications?de=aviso');
  await page.context().setOffline(false);
  await expect(page.getByRole('banner')).toBeVisible();

  await deliver(page, JSON.stringify(message), { title: 'Bea te citó' });
  await page.evaluate(
    ({ id, token }) => {
      for (const [key, value] of Object.entries({ id, token, name: 'Eva' }))
        sessionStorage.setItem(key, value);
    },
    { id: eva.id, token: eva.token },
  );
  await page.goto(pageRoutes.profile);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Eva');
  expect(await shown(page)).toHaveLength(1);
  expect(await press(page)).toBe('/notifications?de=aviso');
  await expect(page).toHaveURL(pageRoutes.profile);
});

test('a subscription that the push service no longer knows is made again at the next visit where the browser allows it; else the settings say so', async ({
  site,
  openRemembered,
}) => {
  const ana = await site.forum.person('Ana');
  const page = await openRemembered(ana);
  await switchOn(page);
  const ended =
    'Este dispositivo ha dejado de recibir los avisos que activaste. Actívalos otra vez.';
  const endAtService = async (channel: string) => {
    await site.answered(ana, 'Otra vez', channel);
    site.service.answer = (_request, response) => response.writeHead(410).end();
    site.wait(60_000);
    expect(await site.pushed()).toHaveLength(1);
    expect((await site.settingsOf(ana)).devices).toEqual([]);
  };
  await endAtService('Uno');
  await page.goto(pageRoutes.home);
  await expect.poll(async () => (await site.settingsOf(ana)).devices).toHaveLength(1);

  await endAtService('Dos');
  await page.context().clearPermissions();
  await page.goto(pageRoutes.settings);
  await expect(section(page)).toContainText(ended);
  await page.context().grantPermissions(['notifications']);
  await start(page).click();
  await expect(statusBar(page)).toContainText('Avisos activados en este dispositivo');
  await expect(section(page)).not.toContainText(ended);
  expect((await site.settingsOf(ana)).devices).toHaveLength(1);
});
