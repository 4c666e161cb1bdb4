import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { Channel } from '../../../src/shared/channels.ts';
import { cleanText } from '../../../src/shared/clean-text.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { naughtyStrings } from '../../attacks/naughty-strings.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { commentTexts, sendComment } from '../comments.ts';
import { openCreate } from '../create-form.ts';
import { detectXss, type XssReport } from '../detect-xss.ts';
import { test as base, expect } from '../fixtures.ts';
import { timesAgo } from '../hydration.ts';
import { plainImage } from '../images.ts';
import { signInByForm } from '../people.ts';

/** Short enough for a name. Each breaks out of a different HTML or script context. */
const attacks = [
  '</script><script>xss=1</script>"><img src=x onerror=xss=1>\'><svg/onload=xss=1>',
  '</title></textarea><script>xss=1</script> <!--<script>xss=1//-->',
  '\u2028xss=1;\u2029<a href=javascript:xss=1>x</a>',
];
const everyAttack = attacks.join(' ');
const controls = /[^\P{Cc}\n\t]/u;
/** The whole list, split into texts that fit into a comment. */
const longTexts = [0, 1, 2, 3].map((part) =>
  naughtyStrings
    .filter((text, index) => index % 4 === part && !controls.test(text))
    .join('\n')
    .trim()
    .normalize('NFC'),
);

const test = base.extend<{ xss: XssReport }>({
  forumName: 'hostile',
  xss: [
    async ({ context }, use) => {
      const xss = await detectXss(context);
      await use(xss);
      expect(xss.executed).toEqual([]);
    },
    { auto: true },
  ],
});

interface HostileForum {
  author: Person;
  channel: Channel;
  comments: string[];
}

/** A person, a channel and comments with hostile texts in every field. */
async function fillForum(
  forum: Forum,
  attack: string,
  comments = [everyAttack],
): Promise<HostileForum> {
  const author = await forum.person(
    attack.slice(0, 80),
    `${crypto.randomUUID()} ${attack}`.replaceAll(':', ''),
  );
  const { token } = author;
  const channel = await forum.json<Channel>('POST', apiRoutes.channels, {
    token,
    body: {
      name: attack,
      description: everyAttack,
      cover: '/default-avatar.svg',
      coverAlt: attack,
    },
  });
  for (const text of comments) await forum.comment(author, channel._id, text);
  return { author, channel, comments: comments.map(cleanText) };
}

const content = (page: Page, property: string) =>
  page.locator(`meta[property="${property}"]`).getAttribute('content');

/** Opens the channel by its address, where the server has written its texts, and checks its preview. */
async function visitChannel(page: Page, hostile: HostileForum): Promise<void> {
  await page.goto(pageRoutes.channel(hostile.channel._id));
  await expectChannel(page, hostile);
  expect(await content(page, 'og:title')).toBe(`${hostile.channel.name} · tertulia`);
  expect(await content(page, 'og:description')).toBe(
    `${everyAttack.replace(/\s+/g, ' ').slice(0, 159)}…`,
  );
}

async function expectChannel(
  page: Page,
  { author, channel, comments }: HostileForum,
): Promise<void> {
  await expect(timesAgo(page).first()).toBeVisible();
  const heading = page.getByRole('heading', { level: 1 });
  expect(await heading.textContent()).toBe(channel.name);
  await expect(page.getByText(author.name, { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('img', { name: channel.coverAlt, exact: true })).toBeVisible();
  await expect.poll(() => commentTexts(page)).toEqual(comments);
  expect(await page.evaluate(() => document.title)).toBe(`${channel.name} · tertulia`.trim());
}

test('hostile texts and naughty strings of all kinds do not run as script in channels, their previews and their cards, and lead only to http and https, with rel nofollow', async ({
  page,
  forum,
  xss,
}) => {
  for (const attack of attacks) await visitChannel(page, await fillForum(forum, attack));

  const schemes = ['javascript:xss=1', 'data:text/html,<script>xss=1</script>', '//ejemplo.es/a'];
  const links = `${schemes.join(' ')} https://ejemplo.es/javascript:xss=1`;
  const hostile = await fillForum(forum, everyAttack.slice(0, 80), [...longTexts, links]);
  await visitChannel(page, hostile);
  const main = page.getByRole('main');
  const marked = await main
    .locator('a[rel]')
    .evaluateAll((all) =>
      all.map((link) => [(link as HTMLAnchorElement).protocol, (link as HTMLAnchorElement).rel]),
    );
  expect(marked.length).toBeGreaterThan(5);
  for (const [protocol, rel] of marked) {
    expect(protocol).toMatch(/^https?:$/);
    expect(rel).toBe('nofollow ugc noopener');
  }
  const others = await main
    .locator('a:not([rel])')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(others.length).toBeGreaterThan(5);
  for (const href of others) expect(href).toMatch(/^(\/(?!\/)|#)/);

  // From the list, the browser renders the channel itself.
  await page.goto(pageRoutes.home);
  const card = page.locator(`a[href="${pageRoutes.channel(hostile.channel._id)}"]`);
  expect(await card.textContent()).toBe(hostile.channel.name);
  await card.click();
  await expect(page).toHaveURL(pageRoutes.channel(hostile.channel._id));
  await expectChannel(page, hostile);
  expect(xss.blocked).toEqual([]);
});

test('hostile texts do not run as script in profiles, live comments and file names', async ({
  page,
  forum,
  openAs,
  xss,
}) => {
  const [attack = ''] = attacks;
  const { author, channel } = await fillForum(forum, attack);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(timesAgo(page).first()).toBeVisible();
  const user = await openAs(author);
  const userXss = await detectXss(user.context());
  await user.goto(pageRoutes.profile);
  await expect(user.getByRole('heading', { level: 1 })).toHaveText(author.name);
  await expect(user.getByText(author.email, { exact: true })).toBeVisible();
  await user.getByRole('button', { name: 'Menú de usuario' }).click();
  await expect(user.getByRole('link', { name: 'Perfil' })).toBeVisible();

  // Another reader receives these comments live.
  await user.goto(pageRoutes.channel(channel._id));
  for (const text of attacks) {
    await sendComment(user, `${text} en vivo`);
    await expect(page.getByText(`${text.trim()} en vivo`, { exact: true })).toBeVisible();
  }

  await openCreate(user);
  const image = await plainImage(`${everyAttack.replaceAll('/', '')}.png`);
  await user.getByLabel('Imagen de portada').setInputFiles(image);
  await expect(user.getByText(image.name)).toBeVisible();
  await expect(user.getByLabel('Portada subida')).toBeVisible();
  expect(userXss).toEqual({ executed: [], blocked: [] });
  expect(xss.blocked).toEqual([]);
});

test.describe('hostile responses of the server', () => {
  test.use({ expectedErrors: [/Content Security Policy|ERR_|status of 4/] });

  test('run no script: neither addresses of images nor an error message with markup', async ({
    page,
    forum,
    xss,
  }) => {
    await page.route(`**${apiRoutes.signIn}`, (route) =>
      route.fulfill({ status: 400, json: { status: 400, code: 'a', detail: everyAttack } }),
    );
    await page.goto(pageRoutes.login);
    await signInByForm(page, 'nadie@ejemplo.es', 'no es esta');
    await page.getByRole('dialog', { name: 'Error' }).getByRole('button').click();
    await expect(page.getByRole('alert')).toContainText('<svg/onload=xss=1>');
    expect(xss.blocked).toEqual([]);

    const channel = await forum.channel(await forum.person());
    const addresses = [
      'javascript:xss=1',
      'data:text/html,<script>parent.xss=1</script>',
      "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='parent.xss=1'><script>parent.xss=1</script></svg>",
      '//ejemplo.invalid/a.png',
    ];
    const data = addresses.map((cover, index) => ({
      ...channel,
      _id: `${index}`,
      cover,
      autorImg: cover,
    }));
    await page.route(`**${apiRoutes.channels}?*`, (route) =>
      route.fulfill({ json: { data, next: null } }),
    );
    await page.goto(pageRoutes.home);
    await expect(page.getByRole('article')).toHaveCount(addresses.length);
    await expect.poll(() => xss.blocked.length).toBeGreaterThan(0);
    for (const blocked of xss.blocked) expect(blocked).toMatch(/^img-src /);
  });
});

test.describe('the content security policy', () => {
  test.use({ expectedErrors: [/Content Security Policy|TrustedHTML|status of 404/] });

  const injected =
    '<script>xss=1</script><img src="x" onerror="xss=1"><a id="a" href="javascript:xss=1">x</a><base href="/otra/"><object data="/default-avatar.svg"></object>';

  /** Serves the home page with injected markup. */
  async function inject(
    page: Page,
    headers: (all: Record<string, string>) => Record<string, string>,
  ) {
    await page.route('**/', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('<body>', `<body>${injected}`);
      await route.fulfill({ response, body, headers: headers(response.headers()) });
    });
    await page.goto('/');
  }

  test('prevents injected markup from running, which runs without it', async ({ page, xss }) => {
    await inject(page, ({ 'content-security-policy': _, ...others }) => others);
    await expect.poll(() => xss.executed.length).toBe(2);
    xss.executed.length = 0;
    await page.unrouteAll();

    await inject(page, (all) => all);
    await page.locator('#a').click();
    await expect
      .poll(() => xss.blocked)
      .toEqual(
        expect.arrayContaining([
          'script-src-elem inline',
          'script-src-attr inline',
          expect.stringMatching(/^base-uri /),
          expect.stringMatching(/^object-src /),
        ]),
      );
    const write = page.evaluate(() => {
      document.body.innerHTML = '<img src=x onerror=xss=1>';
    });
    await expect(write).rejects.toThrow(/TrustedHTML/);
  });
});
