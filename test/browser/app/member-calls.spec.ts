import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { expect, test } from '../fixtures.ts';
import { afterFrames } from '../network.ts';
import { channelWith } from '../replies.ts';

test('opening a channel costs a member three calls: what is new, what is theirs in it, and how far they have read', async ({
  forum,
  openAs,
}) => {
  const { channel } = await channelWith(forum, ['Uno', 'Dos', 'Tres']);
  const luis = await forum.person('Luis Paz');
  await forum.json('PUT', apiRoutes.thanks(channel._id, 1), { token: luis.token });
  const page = await openAs(luis);
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.headers().authorization) calls.push(`${request.method()} ${pathname}`);
  });
  const sent = page.waitForResponse(`**${apiRoutes.reads}`);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(page.getByRole('button', { name: 'Gracias: n.º 1, de Ana Belén' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  // The position is sent last, once comments were in view for a second.
  await sent;
  await afterFrames(page);
  expect(calls.sort()).toEqual([
    `GET ${apiRoutes.mine(channel._id)}`,
    `GET ${apiRoutes.news}`,
    `PUT ${apiRoutes.reads}`,
  ]);
});
