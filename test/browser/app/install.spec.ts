import { changeSettings } from '../../forum/change-settings.ts';
import { chromiumOptions } from '../chromium.ts';
import { expect, test } from '../fixtures.ts';
import { openHome } from '../hydration.ts';

// The headless shell would find no fault in any site.
test.use({
  forumName: 'installed',
  launchOptions: chromiumOptions,
  expectedErrors: [/ERR_INTERNET_DISCONNECTED|Failed to fetch|status of 503/],
});

test('Chromium offers to install the site as an app with the name of the community', async ({
  page,
  forum,
}) => {
  await changeSettings(forum, { name: 'Coro de los lunes' });
  await openHome(page);
  const devTools = await page.context().newCDPSession(page);
  const { url, data, errors } = await devTools.send('Page.getAppManifest');
  expect(url).toBe(`${forum.url}/manifest.webmanifest`);
  expect(errors).toEqual([]);
  const { name, display } = JSON.parse(data ?? '');
  expect({ name, display }).toEqual({ name: 'Coro de los lunes', display: 'standalone' });
  const { installabilityErrors } = await devTools.send('Page.getInstallabilityErrors');
  // The context of a test is private, in which no site can be installed.
  expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito']);
});

test('the app that opens without a connection says so, for a guest also, and opens the page once it is back', async ({
  page,
}) => {
  // The browser of a test cannot install the site.
  await page.addInitScript(() => {
    const { matchMedia } = window;
    window.matchMedia = (query) =>
      matchMedia.call(window, query === '(display-mode: standalone)' ? 'all' : query);
  });
  await openHome(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sin conexión');
  await page.context().setOffline(false);
  await expect(page.getByRole('banner')).toBeVisible();
});
