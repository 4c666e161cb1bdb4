import type { Locator, Page, Request } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { Channel } from '../../../src/shared/channels.ts';
import type { News } from '../../../src/shared/people.ts';
import { homeUrl, pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { commentField, fillWithComments, numberedComments, writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { afterFrames, loseConnection } from '../network.ts';
import { signOut } from '../people.ts';

const line = (page: Page) => page.locator('#nuevo');
const comment = (page: Page, number: number) => page.locator(`#comentario-${number}`);

/** A channel with 120 comments. Bruno has read the first `number` of them. */
async function channelReadUpTo(forum: Forum, number: number, name = 'Huertos de azotea') {
  const [ana, bruno] = [await forum.person('Ana Belén'), await forum.person('Bruno Paz')];
  const channel = await openChannel(forum, ana, { name });
  await fillWithComments(forum, ana, channel, numberedComments(120));
  const response = await forum.call('PUT', apiRoutes.reads, {
    token: bruno.token,
    body: { channelId: channel._id, number },
  });
  expect(response.status).toBe(204);
  return { ana, bruno, channel };
}

async function positionOf(forum: Forum, { token }: Person, channelId: string): Promise<number> {
  const url = `${apiRoutes.news}?channels=${channelId}`;
  const { reads } = await forum.json<News>('GET', url, { token });
  return reads[channelId]?.number ?? 0;
}

test("a line above the first unread comment stays where it is; 'Ir a lo nuevo' leads to it, and with the keyboard skip links to it and to the form", async ({
  forum,
  openAs,
}) => {
  const { ana, bruno, channel } = await channelReadUpTo(forum, 100);
  const page = await openAs(bruno);
  await page.goto(pageRoutes.channel(channel._id));
  const jump = page.getByRole('link', { name: 'Ir a lo nuevo' });
  await expect(jump).toBeVisible();
  expect(await page.evaluate(() => scrollY), 'nothing scrolls by itself').toBe(0);
  await expect(line(page)).toHaveCount(0);
  await expect(commentField(page)).toBeAttached();
  const names: string[] = [];
  for (let pressed = 0; pressed < 13; pressed += 1) {
    await page.keyboard.press('Tab');
    names.push(await page.evaluate(() => document.activeElement?.textContent ?? ''));
  }
  expect(names.slice(0, 3)).toEqual([
    'Saltar al contenido',
    'Saltar a lo nuevo',
    'Saltar al formulario',
  ]);
  expect(names).toEqual(
    expect.arrayContaining(['Ir a lo nuevo', 'Ir a lo último', 'Buscar en este canal']),
  );

  await jump.click();
  await expect(line(page)).toHaveText('20 nuevos');
  await expect(line(page)).toBeInViewport();
  await expect(page.locator('#nuevo + li')).toHaveAttribute('id', 'comentario-101');

  await expect.poll(() => positionOf(forum, bruno, channel._id)).toBeGreaterThan(100);
  await writeComments(forum, ana, channel, numberedComments(1, 121));
  await expect(comment(page, 121)).toBeAttached();
  await expect(line(page)).toHaveText('20 nuevos');
  await expect(page.locator('#nuevo + li')).toHaveAttribute('id', 'comentario-101');

  await page.getByRole('link', { name: 'Saltar al formulario' }).focus();
  await page.keyboard.press('Enter');
  await expect(commentField(page)).toBeFocused();
  await expect(commentField(page)).toBeInViewport();
  await page.getByRole('link', { name: 'Saltar a lo nuevo' }).focus();
  await page.keyboard.press('Enter');
  await expect(line(page)).toBeFocused();
  await expect(line(page)).toBeInViewport();
});

test('from home, a channel opens at the first unread comment, or at its newest comments; one that is unread from its first page, or was never visited, opens at its top', async ({
  forum,
  openAs,
}) => {
  const { ana, bruno, channel } = await channelReadUpTo(forum, 100, 'A medio leer');
  const named = async (name: string, number: number) => {
    const one = await openChannel(forum, ana, { name });
    await fillWithComments(forum, ana, one, numberedComments(120));
    const body = { channelId: one._id, number };
    if (number > 0) await forum.json('PUT', apiRoutes.reads, { token: bruno.token, body });
    return one;
  };
  const read = await named('Todo leído', 120);
  const early = await named('Con novedades desde la primera página', 20);
  const other = await named('Sin visitar', 0);
  const page = await openAs(bruno);
  await page.goto(homeUrl('new'));
  const row = ({ name }: Channel) => page.getByRole('link', { name, exact: true });
  const path = ({ _id }: Channel) => pageRoutes.channel(_id);
  await expect(row(channel)).toHaveAttribute('href', `${path(channel)}?n=101#nuevo`);
  await expect(row(early)).toHaveAttribute('href', path(early));
  await expect(row(other)).toHaveAttribute('href', path(other));
  await row(read).click();
  await expect(comment(page, 120)).toBeInViewport();
  await expect(commentField(page)).toBeInViewport();
  await page.goBack();
  await row(channel).click();
  await expect(line(page)).toBeFocused();
  await expect(line(page)).toBeInViewport();
  const opened = await page.context().newPage();
  await opened.goto(`${path(channel)}?n=101#nuevo`);
  await expect(comment(opened, 101), 'to a tab of its own').toBeInViewport();
});

test('once the heading is out of sight, a line names the channel and the community above what is read, and leads to the unread comments until they are reached, then to the newest', async ({
  forum,
  openAs,
}) => {
  const { bruno, channel } = await channelReadUpTo(forum, 100);
  const page = await openAs(bruno, { viewport: { width: 375, height: 700 } });
  await page.goto(pageRoutes.channel(channel._id));
  const slim = page.getByText('Huertos de azotea · tertulia');
  await expect(page.getByRole('link', { name: 'Ir a lo nuevo' })).toBeVisible();
  await expect(slim).toBeHidden();
  await comment(page, 20).scrollIntoViewIfNeeded();
  await expect(slim).toBeVisible();
  await page.getByRole('link', { name: '20 nuevos' }).click();
  await expect(line(page)).toBeFocused();
  const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? 0;
  const slimBottom = async () => (await topOf(slim)) + ((await slim.boundingBox())?.height ?? 0);
  await expect.poll(() => topOf(line(page))).toBeGreaterThan(await slimBottom());
  await page.getByRole('link', { name: 'Ir a lo último' }).last().click();
  await expect(comment(page, 120)).toBeInViewport();
  await expect(page.getByRole('link', { name: 'Ir a lo último' })).toHaveCount(1);
});

test.describe('reading positions', () => {
  test.use({ expectedErrors: [/net::ERR_/] });

  test('are those of the comments that were in view, and are sent soon; those that could not be sent are sent when the user signs out', async ({
    forum,
    openAs,
  }) => {
    const { bruno, channel } = await channelReadUpTo(forum, 1);
    const { token } = await forum.newSession(bruno);
    const position = () => positionOf(forum, { ...bruno, token }, channel._id);
    const page = await openAs(bruno);
    await page.clock.install();
    await page.goto(pageRoutes.channel(channel._id));
    const readTo = async (number: number) => {
      await comment(page, number).scrollIntoViewIfNeeded();
      await afterFrames(page);
      await page.clock.runFor(3_000);
    };
    const isRead = (request: Request) =>
      request.url().endsWith(apiRoutes.reads) && request.method() === 'PUT';
    const sent = page.waitForRequest(isRead);
    await readTo(30);
    await sent;
    await expect.poll(position).toBeGreaterThanOrEqual(30);
    const read = await position();
    expect(read).toBeLessThan(50);

    await page.route(`**${apiRoutes.reads}`, loseConnection);
    const failed = page.waitForEvent('requestfailed', isRead);
    await readTo(50);
    await failed;
    expect(await position()).toBe(read);
    await page.unroute(`**${apiRoutes.reads}`);
    await signOut(page);
    await expect.poll(position).toBeGreaterThanOrEqual(50);
    const news = `${apiRoutes.news}?channels=${channel._id}`;
    await expect
      .poll(async () => (await forum.call('GET', news, { token: bruno.token })).status)
      .toBe(401);
  });
});
