import { commentLink, pageRoutes } from '../../../src/shared/routes.ts';
import { commentField } from '../comments.ts';
import { openChannel } from '../community.ts';
import { chooseFiles, commentWithFiles, draftFiles, mp3, pdf } from '../files.ts';
import { expect, test } from '../fixtures.ts';

test.use({ expectedErrors: [/.*/] });
test('shots', async ({ forum, openAs }) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana, { name: 'Comunidad de la calle Mayor' });
  for (let i = 0; i < 3; i++)
    await forum.comment(
      ana,
      channel._id,
      `Hola, esto es el comentario número ${i} de este canal, que lee mucha gente.`,
    );
  await commentWithFiles(forum, ana, channel._id, 'El acta de la junta y la grabación.', [
    pdf('Acta de la junta ordinaria de vecinos del 3 de noviembre.pdf', 1_300_000),
    mp3(),
  ]);
  await commentWithFiles(forum, ana, channel._id, '', [
    { name: 'cuentas.csv', mimeType: 'text/csv', buffer: Buffer.from('a;b\n1;2\n') },
  ]);
  for (const scheme of ['light', 'dark'] as const)
    for (const width of [375, 1280]) {
      const page = await openAs(ana, { viewport: { width, height: 900 }, colorScheme: scheme });
      await page.goto(pageRoutes.channel(channel._id));
      await commentField(page).fill('Otra cosa');
      if (width === 1280 && scheme === 'dark') {
        await chooseFiles(page, [
          pdf('presupuesto.pdf'),
          { name: 'malo.exe', mimeType: '', buffer: Buffer.from('MZ\0\0aaa') },
        ]).catch((e) => console.log(e));
        await expect(draftFiles(page))
          .toHaveCount(2)
          .catch((e) => console.log(String(e).slice(0, 300)));
        await page.waitForTimeout(1500);
      }
      await page.screenshot({
        path: `/tmp/fc-shots/channel-${scheme}-${width}.png`,
        fullPage: true,
      });
      await page.goto(pageRoutes.documents);
      await expect(page.getByRole('listitem').first()).toBeVisible();
      await page.waitForTimeout(300);
      await page.screenshot({
        path: `/tmp/fc-shots/documents-${scheme}-${width}.png`,
        fullPage: true,
      });
      await page.goto(`${pageRoutes.documents}?channel=${channel._id}&q=xyz`);
      await page.waitForTimeout(300);
      await page.screenshot({ path: `/tmp/fc-shots/empty-${scheme}-${width}.png`, fullPage: true });
      await page.goto(pageRoutes.home);
      await page.waitForTimeout(300);
      await page.screenshot({ path: `/tmp/fc-shots/home-${scheme}-${width}.png`, fullPage: true });
      await page.context().close();
    }
});
