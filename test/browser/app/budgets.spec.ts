import { gzipSync } from 'node:zlib';
import type { Page, Request } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { changeSettings } from '../../forum/change-settings.ts';
import { writeComments } from '../comments.ts';
import { openChannelWithCover } from '../community.ts';
import { expect, oncePerForum, test } from '../fixtures.ts';
import { timesAgo } from '../hydration.ts';
import { holdRequests } from '../network.ts';

// The browser logs that a missing page is missing.
test.use({ expectedErrors: [/status of 404/] });

const kilobyte = 1000;
/** Kilobytes of the scripts of each public page as a guest first sees it. */
const scriptBudgets = {
  channel: 104,
  home: 105.9,
  user: 110.5,
  search: 107.4,
  log: 104.2,
  login: 104.7,
  register: 105.7,
  rules: 97.2,
  recover: 117.2,
  password: 116.2,
  confirm: 112,
  'not-found': 91.3,
  'members-only': 91,
};
/** A member's channel, before pages are loaded ahead. */
const memberScriptBudget = 148.5;
/** Its style sheets are in it. */
const channelPageBudget = 17 * kilobyte;
/**
 * The page, four scripts, the live stream, the channel and its comments again, the cover, and the avatar that all of
 * these people share.
 */
const channelRequests = 10;

/** Collects the requests of a page from now on. */
function watchLoads(page: Page): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  return requests;
}

const ofType = (requests: Request[], type: string) =>
  requests.filter((request) => request.resourceType() === type);
const pathOf = (request: Request) => new URL(request.url()).pathname;

/** Call before leaving the page: the browser discards the response bodies of the previous page. */
async function gzippedBytes(requests: Request[]): Promise<number> {
  const bodies = await Promise.all(
    requests.map(async (request) => (await request.response())?.body()),
  );
  return bodies.reduce((bytes, body) => bytes + gzipSync(body ?? '').length, 0);
}

/** Adds a measurement to the test's report. */
const measured = (description: string) =>
  test.info().annotations.push({ type: 'gzipped', description });

const scriptBytes = (loads: Request[]) => gzippedBytes(ofType(loads, 'script'));

/** All different, so that they compress like real comments. */
const remarks = [
  'En mi balcón los tomates cherry aguantan hasta octubre si los riego al amanecer.',
  '¿Alguien ha probado con compost de café? A mí se me llenó de mosquitas enseguida 😅',
  'Yo lo dejaría reposar una semana más; con prisa nunca me ha salido bien.',
  'Gracias por la idea, la apunto para el sábado. ¿Quedamos en la plaza a las once?',
  'El año pasado heló en mayo y perdimos media cosecha, así que esta vez esperamos.',
  'Mi abuela decía que la albahaca y el pimiento se ayudan. No sé si es verdad, pero huele bien.',
  'Acabo de ver vuestro semillero: precioso. Mañana paso con dos sacos de tierra.',
  'Cuidado con el viento de poniente en los áticos: ata las matas a una caña.',
  'Se puede empezar con lechugas y rábanos; en cuatro semanas ya se cosecha algo.',
  'Para el riego por goteo uso botellas con una mecha de algodón. Barato y no falla.',
];

const channelOfTwenty = oncePerForum(async (forum) => {
  const people = await Promise.all(
    ['Ana Belén', 'Bruno Paz', 'Carmen Ruiz', 'Diego Sanz'].map((name) => forum.person(name)),
  );
  const [ana] = people;
  if (!ana) throw new Error('no person');
  const channel = await openChannelWithCover(forum, ana, {
    name: 'Huertos de azotea',
    description:
      'Para quienes cultivan en terrazas, balcones y azoteas. Semillas, riego, plagas y cosechas pequeñas, con fotos si las hay.',
  });
  for (let index = 0; index < 20; index += 1) {
    const author = people[index % people.length] ?? ana;
    const remark = remarks[index % remarks.length] ?? '';
    const text = index < 10 ? remark : remark.split(' ').reverse().join(' ');
    await writeComments(forum, author, channel, [text]);
  }
  return { ana, channel };
});

/** The resources of a page that the browser does not report as non-blocking, with their status. */
const blockingResources = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((entry) => [
        entry.name,
        'renderBlockingStatus' in entry ? entry.renderBlockingStatus : 'not reported',
      ])
      .filter(([, status]) => status !== 'non-blocking'),
  );

const originsOf = (requests: Request[]) => [
  ...new Set(requests.map((request) => new URL(request.url()).origin)),
];

/** Scripts of modules that several pages load. */
const isShared = /^\/assets\/(?:rolldown-runtime|public-queries|shared-\w+)-[\w-]{8}\.js$/;

const isImage = (path: string) => /^\/files\/|\.svg$/.test(path);

test('a first visit of home requests the page, its scripts, the list and images, and nothing else; no public page has more script than its budget, a resource that blocks rendering, a font, or anything of another site', {
  tag: '@minified',
}, async ({ page, forum }) => {
  const { ana, channel } = await channelOfTwenty(forum);
  const listed = page.waitForResponse('**/api/channels?*');
  const paths: Record<Exclude<keyof typeof scriptBudgets, 'members-only'>, string> = {
    home: pageRoutes.home,
    user: pageRoutes.user(ana.id),
    search: pageRoutes.search,
    log: pageRoutes.log,
    channel: pageRoutes.channel(channel._id),
    login: pageRoutes.login,
    register: pageRoutes.register,
    rules: pageRoutes.rules,
    recover: pageRoutes.recover,
    password: pageRoutes.password,
    confirm: pageRoutes.confirm,
    'not-found': '/nada',
  };
  for (const [name, path] of entriesOf(paths)) {
    const loads = watchLoads(page);
    await page.goto(path);
    expect(await blockingResources(page)).toEqual([]);
    if (path === pageRoutes.home) {
      expect(await (await listed).text(), 'comments').not.toContain('tomates cherry');
      const requested = loads.map(pathOf).filter((path) => !isImage(path) && !isShared.test(path));
      const names = requested.map((path) => path.replace(/-[\w-]{8}(?=\.(?:js|css)$)/, ''));
      expect(names.sort()).toEqual(homeRequests);
    }
    await page.getByRole('button', { name: 'Menú de usuario' }).click();
    await expect(page.getByRole('link', { name: 'Registarse' })).toBeVisible();
    const bytes = await scriptBytes(loads);
    measured(`${path}: ${bytes} bytes of script`);
    expect(bytes).toBeGreaterThan(10 * kilobyte);
    expect(bytes, name).toBeLessThanOrEqual(scriptBudgets[name] * kilobyte);
    expect(ofType(loads, 'font')).toEqual([]);
    expect(originsOf(loads)).toEqual([forum.url]);
    page.removeAllListeners('request');
  }
});

const entriesOf = <Key extends string>(record: Record<Key, string>) =>
  Object.entries(record) as [Key, string][];

test.describe('in a community of members', () => {
  test.use({ forumName: 'budget of members only' });
  test('the page for guests has no more script than its budget', async ({ page, forum }) => {
    await changeSettings(forum, { readers: 'members', contact: 'Llama a Marga' });
    const loads = watchLoads(page);
    await page.goto(pageRoutes.home);
    await page.getByRole('button', { name: 'Menú de usuario' }).click();
    await expect(page.getByRole('link', { name: 'Registarse' })).toBeVisible();
    const bytes = await scriptBytes(loads);
    measured(`members only: ${bytes} bytes of script`);
    expect(bytes).toBeGreaterThan(10 * kilobyte);
    expect(bytes).toBeLessThanOrEqual(scriptBudgets['members-only'] * kilobyte);
  });
});

test("a member's channel has no more script than its budget, requested before the page's script runs; other pages are loaded ahead after five seconds", {
  tag: '@minified',
}, async ({ openAs, forum }) => {
  const { ana, channel } = await channelOfTwenty(forum);
  const page = await openAs(ana);
  await page.clock.install();
  const loads = watchLoads(page);
  const held = await holdRequests(page, 'GET', /entry-client/);
  await page.goto(pageRoutes.channel(channel._id), { waitUntil: 'commit' });
  const names = () => ofType(loads, 'script').map(pathOf);
  await expect.poll(names).toContainEqual(expect.stringContaining('account-parts'));
  held.release();
  await expect(page.getByRole('textbox', { name: 'Comentario' })).toBeVisible();
  const bytes = await scriptBytes(loads);
  measured(`a member's channel: ${bytes} bytes of script`);
  expect(bytes).toBeLessThanOrEqual(memberScriptBudget * kilobyte);
  expect(names().join()).not.toContain('notifications-page');
  await page.clock.runFor(5000);
  await expect.poll(names).toContainEqual(expect.stringContaining('notifications-page'));
});

const homeRequests = ['/', '/api/channels', '/assets/entry-client.js', '/assets/home-page.js'];

test('the page of a channel weighs at most 17 kB, also as it is sent, with at most ten requests, one for each image', async ({
  page,
  forum,
}) => {
  const { channel } = await channelOfTwenty(forum);
  const loads = watchLoads(page);
  const refreshed = page.waitForResponse('**/comments?*');
  const response = await page.goto(pageRoutes.channel(channel._id));
  await refreshed;
  expect(await response?.headerValue('content-encoding')).toMatch(/^(zstd|br|gzip)$/);
  const { responseBodySize } = (await response?.request().sizes()) ?? { responseBodySize: NaN };
  measured(`channel: ${responseBodySize} bytes of page sent, ${loads.length} requests`);
  expect(responseBodySize).toBeGreaterThan(2 * kilobyte);
  expect(responseBodySize).toBeLessThanOrEqual(channelPageBudget);
  expect(loads.length).toBeLessThanOrEqual(channelRequests);
  await expect(timesAgo(page)).toHaveCount(21);
  const document = await gzippedBytes(ofType(loads, 'document'));
  measured(`channel: ${document} bytes of page`);
  expect(document).toBeGreaterThan(2 * kilobyte);
  expect(document).toBeLessThanOrEqual(channelPageBudget);
  expect(ofType(loads, 'stylesheet')).toEqual([]);

  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  const images = ofType(loads, 'image').map(pathOf);
  expect(images).toContainEqual(expect.stringContaining(channel.cover));
  expect(images).toContain('/default-avatar.svg');
  expect(images).toEqual([...new Set(images)]);
  expect(images.length).toBeLessThanOrEqual(4);
  const others = loads.map(pathOf).filter((path) => !isImage(path) && !/\.(?:js|css)$/.test(path));
  const api = apiRoutes.channel(channel._id);
  // The page may come from a shared cache, so its data is fetched again once its stream is open.
  expect(others).toEqual([pageRoutes.channel(channel._id), `${api}/live`, api, `${api}/comments`]);
});
