import { changeSettings } from '../../forum/change-settings.ts';
import { chromiumOptions } from '../chromium.ts';
import { expect, test } from '../fixtures.ts';
import { openHome } from '../hydration.ts';

// The headless shell would find no fault in any site.
test.use({ forumName: 'installed', launchOptions: chromiumOptions });

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
