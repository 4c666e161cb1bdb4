import { pageRoutes } from '../../../src/shared/routes.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { commentShown } from '../replies.ts';

test('a comment shows its quotes, links and mentions; right-to-left text sets the direction of its own line only, and a name in it is at the left like others', async ({
  page,
  forum,
}) => {
  const laila = await forum.person('ليلى حداد');
  const { _id } = await openChannel(forum, laila);
  const text =
    '> Quedamos a las diez\n> en https://ejemplo.es/plaza.\n\nSí, @ليلى حداد\nAllí estaré';
  const mention = { start: text.indexOf('@'), length: 10, accountId: laila.id };
  await forum.comment(laila, _id, text, { mentions: [mention] });
  for (const lines of ['שלום\nHola\nשלום וברכה', 'Hola\nשלום']) {
    await forum.comment(laila, _id, lines);
  }
  await page.goto(pageRoutes.channel(_id));
  const comment = commentShown(page, 1);
  const quote = comment.locator('blockquote');
  await expect(quote).toHaveText('Quedamos a las diez\nen https://ejemplo.es/plaza.', {
    useInnerText: true,
  });
  await expect(quote.getByRole('link')).toHaveAttribute('href', 'https://ejemplo.es/plaza');
  await expect(comment.getByText('Sí, @ليلى حداد')).toHaveText('Sí, @ليلى حداد\nAllí estaré', {
    useInnerText: true,
  });

  const sides = (number: number) =>
    commentShown(page, number)
      .locator('[dir="auto"]')
      .first()
      .evaluate((block) => {
        const box = block.getBoundingClientRect();
        const range = document.createRange();
        range.selectNodeContents(block);
        return [...range.getClientRects()]
          .filter(({ width }) => width > 1)
          .map(({ left, right }) => (left - box.left < box.right - right ? 'left' : 'right'));
      });
  expect(await sides(2)).toEqual(['right', 'left', 'right']);
  expect(await sides(3)).toEqual(['left', 'right']);
  const [name, below] = [page.getByRole('main').getByText('ليلى حداد'), page.getByText(/^creado/)];
  const offset =
    ((await name.first().boundingBox())?.x ?? NaN) - ((await below.boundingBox())?.x ?? NaN);
  expect(Math.abs(offset)).toBeLessThan(2);

  await comment.getByRole('link', { name: '@ليلى حداد' }).click();
  await expect(page).toHaveURL(pageRoutes.user(laila.id));
});
