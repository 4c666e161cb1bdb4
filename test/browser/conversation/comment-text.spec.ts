import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentsShown } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { channelWith, commentShown } from '../replies.ts';

test('a comment shows its quotes, links and mentions', async ({ page, forum }) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  const text =
    '> Quedamos a las diez\n> en https://ejemplo.es/plaza.\n\nSí, @Ana Belén\nAllí estaré';
  const mention = { start: text.indexOf('@'), length: 10, accountId: ana.id };
  await forum.comment(ana, channel._id, text, { mentions: [mention] });
  await page.goto(pageRoutes.channel(channel._id));
  const comment = commentsShown(page).first();
  const quote = comment.locator('blockquote');
  await expect(quote).toHaveText('Quedamos a las diez\nen https://ejemplo.es/plaza.', {
    useInnerText: true,
  });
  await expect(quote.getByRole('link')).toHaveAttribute('href', 'https://ejemplo.es/plaza');
  await expect(comment.getByText('Sí, @Ana Belén')).toHaveText('Sí, @Ana Belén\nAllí estaré', {
    useInnerText: true,
  });
  const person = comment.getByRole('link', { name: '@Ana Belén' });
  await person.click();
  await expect(page).toHaveURL(pageRoutes.user(ana.id));
});

test('right-to-left text sets the direction of its own line only', async ({ forum, openAs }) => {
  const { ana, channel } = await channelWith(forum, ['שלום\nHola\nשלום וברכה', 'Hola\nשלום']);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
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
  expect(await sides(1)).toEqual(['right', 'left', 'right']);
  expect(await sides(2)).toEqual(['left', 'right']);
});
