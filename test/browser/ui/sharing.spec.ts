import { commentLink, pageRoutes } from '../../../src/shared/routes.ts';
import { expect, test } from '../fixtures.ts';
import { channelWith } from '../replies.ts';
import { statusBar } from '../status-bar.ts';

test("a comment and a channel are shared by the device's menu, and copied where there is none or it fails, but not when it was closed", async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, ['Uno']);
  const page = await openAs(ana, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.addInitScript(() => {
    const shared: ShareData[] = [];
    const outcome = { error: '' };
    Object.assign(window, { shared, outcome });
    navigator.share = async (data = {}) => {
      shared.push(data);
      if (outcome.error) throw new DOMException('', outcome.error);
    };
  });
  await page.goto(pageRoutes.channel(channel._id));
  const shareFrom = async (menu: RegExp | string) => {
    await page.getByRole('button', { name: menu }).click();
    await page.getByRole('button', { name: 'Compartir', exact: true }).click();
  };
  const shared = () => page.evaluate(() => Reflect.get(window, 'shared'));
  const fail = (error: string) =>
    page.evaluate((error) => Object.assign(Reflect.get(window, 'outcome'), { error }), error);

  await shareFrom('Opciones del canal');
  await fail('AbortError');
  await shareFrom(/^Más acciones: n\.º 1,/);
  const [ofChannel, ofComment] = [pageRoutes.channel(channel._id), commentLink(channel._id, 1)].map(
    (path) => new URL(path, forum.url).href,
  );
  await expect.poll(shared).toEqual([
    {
      title: channel.name,
      url: ofChannel,
      text: `«${channel.name}», un canal de ${channel.autor}`,
    },
    {
      title: channel.name,
      url: ofComment,
      text: `Comentario de ${ana.name} en «${channel.name}»`,
    },
  ]);
  await expect(statusBar(page)).toHaveCount(0);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await fail('NotAllowedError');
  await shareFrom('Opciones del canal');
  await expect(statusBar(page)).toContainText('Enlace copiado');
  expect(await clipboard()).toBe(ofChannel);
});

test('a guest shares a comment and a channel', async ({ forum, openAs }) => {
  const { channel } = await channelWith(forum, ['Uno']);
  const page = await openAs(null, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(pageRoutes.channel(channel._id));
  const menus: [RegExp | string, string][] = [
    ['Opciones del canal', pageRoutes.channel(channel._id)],
    [/^Más acciones: n\.º 1,/, commentLink(channel._id, 1)],
  ];
  for (const [menu, path] of menus) {
    await page.getByRole('button', { name: menu }).click();
    await page.getByRole('button', { name: 'Compartir', exact: true }).click();
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(clipboard).toBe(new URL(path, forum.url).href);
  }
});
