import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { commentField, commentsShown, commentTexts, sendButton } from '../comments.ts';
import { openChannel, openChannelWithCover } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { holdRequests } from '../network.ts';

const noComments = 'Aún no hay comentarios';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const region = (page: Page) => page.getByRole('region', { name: 'Comentarios' });
const description = (page: Page) => page.getByRole('main').locator('header > div > p');

async function expectCount(page: Page, count: number) {
  await expect(commentsShown(page)).toHaveCount(count);
  await expect(region(page).getByText(String(count), { exact: true })).toBeVisible();
}

test.describe('a channel page', () => {
  test('shows cover, name, description, author and their image, and the comments, oldest first', async ({
    forum,
    page,
  }) => {
    const [author, luis] = [await forum.person('Amparo Gil'), await forum.person('Luis')];
    const text = 'Películas:\n\nhttps://ejemplo.es/una?pagina=1.\nY ya.';
    const channel = await openChannelWithCover(forum, author, {
      name: 'Cine de barrio',
      description: text,
    });
    await forum.comment(author, channel._id, 'El primero');
    await forum.comment(luis, channel._id, 'El segundo');
    await page.goto(`/channel/${channel._id}`);
    await expect(heading(page)).toHaveText('Cine de barrio');
    await expect(description(page)).toHaveText(text, { useInnerText: true });
    const link = description(page).getByRole('link', { name: 'https://ejemplo.es/una?pagina=1' });
    await expect(link).toHaveAttribute('href', 'https://ejemplo.es/una?pagina=1');
    await expect(link).toHaveAttribute('rel', 'nofollow ugc noopener');
    const cover = page.getByRole('img', { name: 'Portada de Cine de barrio' });
    await expect(cover).toHaveAttribute('src', `${channel.cover}/1000.webp`);
    await expect(cover).toHaveJSProperty('naturalWidth', 1000);
    await expect(cover).toHaveCSS('height', '400px');
    const header = page.getByRole('main').locator('header').first();
    await expect(header.getByText('Amparo Gil', { exact: true })).toBeVisible();
    const authorImage = header.locator('img').nth(1);
    await expect(authorImage).toHaveAttribute('src', '/default-avatar.svg');
    await expect(authorImage).not.toHaveJSProperty('naturalWidth', 0);
    // The heading does not link to its own page.
    await expect(header.locator(`a[href="/channel/${channel._id}"]`)).toHaveCount(0);

    await expectCount(page, 2);
    expect(await commentTexts(page)).toEqual(['El primero', 'El segundo']);
    await expect(commentsShown(page).nth(0)).toContainText('Amparo Gil');
    await expect(commentsShown(page).nth(1)).toContainText('Luis');
    const images = await commentsShown(page).locator('img').all();
    expect(images).toHaveLength(2);
    for (const image of images) await expect(image).toHaveAttribute('src', '/default-avatar.svg');
    await expect(page.getByText(noComments)).toHaveCount(0);
  });
});

test.describe('the comment form', () => {
  test('has 8 rows and a placeholder, needs a text, adds the comment once, is cleared, and writes the response to the console', async ({
    forum,
    openAs,
  }) => {
    const person = await forum.person('Iria Sousa');
    const { _id } = await openChannel(forum, person);
    const page = await openAs(person);
    const held = await holdRequests(page, 'PUT', `**${apiRoutes.comment}`);
    const responded = page.waitForResponse(`**${apiRoutes.comment}`);
    const logged = page.waitForEvent('console', (message) => message.type() === 'log');
    await page.goto(`/channel/${_id}`);
    await expect(page.getByText(noComments)).toBeVisible();
    await expect(commentField(page)).toHaveAttribute('rows', '8');
    await expect(commentField(page)).toHaveAttribute(
      'placeholder',
      'click aquí para empezar a escribir',
    );
    await expect(page.getByText('Si deseas comentar')).toHaveCount(0);
    await sendButton(page).click();
    await expect(commentField(page)).toBeFocused();
    await expect(commentField(page)).toHaveJSProperty('validity.valueMissing', true);
    expect(held.requests).toHaveLength(0);
    await commentField(page).fill('¡Hola!\nSoy Iria.');
    await sendButton(page).dblclick();
    await expect(sendButton(page)).toHaveAttribute('aria-busy', 'true');
    await expect(sendButton(page).locator('[aria-hidden="true"]'), 'spinner').toBeVisible();
    held.release();

    await expectCount(page, 1);
    await expect(commentField(page)).toHaveValue('');
    await expect(page.getByText(noComments)).toHaveCount(0);
    await expect(commentsShown(page)).toContainText('Iria Sousa');
    expect(await commentTexts(page)).toEqual(['¡Hola!\nSoy Iria.']);

    expect(held.requests).toHaveLength(1);
    const [sent] = held.requests;
    expect(await sent?.headerValue('authorization')).toBe(`Bearer ${person.token}`);
    expect(sent?.postDataJSON()).toEqual({
      id: _id,
      comment: '¡Hola!\nSoy Iria.',
      autor: 'Iria Sousa',
      autorId: person.id,
      autorImg: person.img,
    });
    const response = await (await responded).json();
    expect(response).toMatchObject({ channelId: _id, autor: 'Iria Sousa' });
    expect(await (await logged).args()[0]?.jsonValue()).toEqual(response);

    await page.reload();
    await expectCount(page, 1);
  });
});
