import type { Locator, Page } from '@playwright/test';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum } from '../../forum/forum.ts';
import { commentField, commentsShown, sendComment, writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { endSession, openWithNews } from '../people.ts';
import { statusBar as bar, showStatus as show } from '../status-bar.ts';
import { shrinkVisualViewport } from '../visual-viewport.ts';

const closeButton = (page: Page) => bar(page).getByRole('button', { name: 'Cerrar aviso' });
const undone = (page: Page) => page.evaluate(() => document.title === 'deshecho');

async function channelAs(forum: Forum) {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  return { ana, channel };
}

/** Waits until React has handled an event: it queues rendering, then effects, as messages. */
const reactIsDone = (page: Page) =>
  page.evaluate(async () => {
    for (let turn = 0; turn < 10; turn++) {
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(null);
      });
    }
  });

test('a message disappears after six seconds, but not while it is hovered or focused, and a brief action after thirty', async ({
  forum,
  openAs,
}) => {
  const { ana } = await channelAs(forum);
  const page = await openAs(ana);
  await page.clock.install();
  await page.goto(pageRoutes.home);
  await show(page, { text: 'Cambios guardados' });
  await bar(page).hover();
  await reactIsDone(page);
  await page.clock.runFor(20_000);
  await expect(bar(page)).toBeVisible();
  await page.mouse.move(0, 0);
  await closeButton(page).focus();
  await reactIsDone(page);
  await page.clock.runFor(20_000);
  await expect(bar(page)).toBeVisible();
  await page.getByRole('button', { name: 'Menú de usuario' }).focus();
  await page.clock.runFor(7_000);
  await expect(bar(page)).toHaveCount(0);

  await show(page, { text: 'Marcado como leído', isBrief: true }, 'Deshacer');
  await reactIsDone(page);
  await page.clock.runFor(20_000);
  await expect(bar(page)).toBeVisible();
  await page.clock.runFor(11_000);
  await expect(bar(page)).toHaveCount(0);
});

test('an action stays, even on another page, until it is used, and the focus returns; a link is gone with its page or with another message; Escape and the button close the bar', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelAs(forum);
  const page = await openAs(ana);
  await page.clock.install();
  await page.goto(pageRoutes.channel(channel._id));
  await show(page, { text: 'Comentario eliminado' }, 'Deshacer');
  await page.clock.runFor(120_000);
  const logo = page.getByRole('link', { name: 'tertulia', exact: true });
  await logo.click();
  await expect(page).toHaveURL(pageRoutes.home);
  await logo.focus();
  await bar(page).getByRole('button', { name: 'Deshacer' }).focus();
  await page.keyboard.press('Enter');
  expect(await undone(page)).toBe(true);
  await expect(bar(page)).toHaveCount(0);
  await expect(logo).toBeFocused();

  const links = [{ href: pageRoutes.channel(channel._id), label: 'Volver' }];
  await show(page, { text: 'Has iniciado sesión.', links });
  await page.getByRole('link', { name: 'Crear Canal', exact: true }).click();
  await expect(page).toHaveURL(pageRoutes.create);
  await expect(bar(page)).toHaveCount(0);
  await show(page, { text: 'Has iniciado sesión.', links });
  await show(page, { text: 'Dos' });
  await expect(bar(page).getByRole('status')).toHaveText('Dos');
  await closeButton(page).focus();
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await show(page, { text: 'Dos' });
  await closeButton(page).click();
  await expect(bar(page)).toHaveCount(0);
  await show(page, { text: 'Has iniciado sesión.', links });
  await bar(page).getByRole('link', { name: 'Volver' }).click();
  await expect(page).toHaveURL(pageRoutes.channel(channel._id));
  await expect(bar(page)).toHaveCount(0);
});

test('a link is gone after twelve seconds, but not while it has the focus, and with the next press elsewhere', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelAs(forum);
  const page = await openAs(ana);
  await page.clock.install();
  await page.goto(pageRoutes.home);
  const links = [{ href: pageRoutes.channel(channel._id), label: 'Ver el canal' }];
  await show(page, { text: 'Canal creado', links });
  await bar(page).getByRole('link').focus();
  await reactIsDone(page);
  await page.clock.runFor(30_000);
  await expect(bar(page)).toBeVisible();
  await page.getByRole('button', { name: 'Menú de usuario' }).focus();
  await reactIsDone(page);
  await page.clock.runFor(11_000);
  await expect(bar(page)).toBeVisible();
  await page.clock.runFor(2_000);
  await expect(bar(page)).toHaveCount(0);

  await show(page, { text: 'Canal creado', links });
  await bar(page).getByRole('status').click();
  await expect(bar(page)).toBeVisible();
  await page.getByRole('heading', { level: 1 }).click();
  await expect(bar(page)).toHaveCount(0);
});

test.describe('once its user has signed out', () => {
  test.use({ expectedErrors: [/status of 401/] });

  test('an action is offered to nobody else', async ({ forum, openAs }) => {
    const { ana, channel } = await channelAs(forum);
    const page = await openAs(ana);
    await openWithNews(page, pageRoutes.channel(channel._id));
    await show(page, { text: 'Ya no está' }, 'Copiar lo que escribiste');
    await endSession(forum, ana);
    await sendComment(page, 'No se pierde');
    await expect(page).toHaveURL(pageRoutes.login);
    await expect(bar(page)).toHaveCount(0);
  });
});

test('on a phone, a message is at the top of what the keyboard leaves visible, above the field being typed in, and within the window; a comment that is seen is only announced as sent', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelAs(forum);
  const texts = Array.from({ length: 6 }, () => 'Mañana en la plaza. '.repeat(20));
  await writeComments(forum, ana, channel, texts);
  const viewport = { width: 320, height: 640 };
  const page = await openAs(ana, { viewport, isMobile: true, hasTouch: true });
  const bottomOf = async (element: Locator) => {
    const { y, height } = (await element.boundingBox()) ?? { y: 0, height: 0 };
    return y + height;
  };
  const belowBar = async (element: Locator) =>
    ((await element.boundingBox())?.y ?? 0) - (await bottomOf(bar(page)));
  await page.goto(pageRoutes.channel(channel._id));
  await show(page, { text: 'Enlace copiado' });
  const fromTop = () =>
    bar(page).evaluate((element) => {
      const { offsetTop = 0 } = visualViewport ?? {};
      return Math.round(element.getBoundingClientRect().top - offsetTop);
    });
  await expect.poll(fromTop).toBe(8);
  await commentField(page).focus();
  await expect.poll(() => belowBar(commentField(page))).toBeGreaterThan(0);
  await commentField(page).evaluate((field) => field.scrollIntoView({ block: 'start' }));
  await show(page, { text: 'Una frase más larga que las demás. '.repeat(3) });
  await expect.poll(() => belowBar(commentField(page))).toBeGreaterThan(0);
  await closeButton(page).click();

  await sendComment(page, 'Nos vemos.');
  await expect(page.getByRole('status').getByText('Comentario enviado')).toBeAttached();
  await expect(bar(page)).toHaveCount(0);
  const sent = commentsShown(page).last();
  await expect(sent).toContainText('Nos vemos.');
  await expect(sent).toBeInViewport();
  await show(page, { text: 'Una palabra', links: [{ href: '/', label: 'muy'.repeat(40) }] });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await shrinkVisualViewport(page, 300);
  await page.getByRole('button', { name: 'Menú de usuario' }).focus();
  await expect.poll(fromTop, 'with a keyboard').toBe(8);
});
