import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { Status } from '../../src/client/components/status-bar.tsx';
import { pageRoutes } from '../../src/shared/routes.ts';
import type { Forum } from '../forum/forum.ts';
import { commentField, sendComment } from './comments.ts';
import { openChannel } from './community.ts';
import {
  coverField,
  createButton,
  descriptionField,
  titleField,
  uploadedMark,
} from './create-form.ts';
import { expect, test } from './fixtures.ts';
import { plainImage } from './images.ts';
import { endSession, openWithNews, signOut } from './people.ts';
import { statusBar } from './status-bar.ts';
import { findingsInThemes } from './view-checks.ts';

const bar = statusBar;
const closeButton = (page: Page) => bar(page).getByRole('button', { name: 'Cerrar aviso' });
const undone = (page: Page) => page.evaluate(() => document.title === 'deshecho');

/** Address of the script that renders the bar. */
function viewScript(): string {
  const manifest = JSON.parse(readFileSync('dist/client/.vite/manifest.json', 'utf8'));
  return `/${manifest['src/client/components/status-view.tsx'].file}`;
}

/** Shows a message in the bar; its action, if any, sets the title to `deshecho`. */
async function show(page: Page, status: Omit<Status, 'action'>, actionLabel?: string) {
  await page.evaluate(
    async ({ status, actionLabel, script }) => {
      const view = await import(script);
      const run = () => {
        document.title = 'deshecho';
      };
      view.renderStatus(actionLabel ? { ...status, action: { label: actionLabel, run } } : status);
    },
    { status, actionLabel, script: viewScript() },
  );
  await expect(bar(page)).toContainText(status.text);
}

/** Whether the bar overlaps a field or the focused element. */
const coversSomething = (page: Page) =>
  page.evaluate(() => {
    const box = (element: Element) => element.getBoundingClientRect();
    const bar = document.querySelector('[aria-label="Aviso"]');
    if (!bar) return false;
    const focused = document.activeElement;
    const hasFocus = focused && focused !== document.body && focused.localName !== 'main';
    return [...document.querySelectorAll('input, textarea'), ...(hasFocus ? [focused] : [])]
      .filter((element) => !bar.contains(element) && box(element).width > 0)
      .some((element) => box(element).bottom > box(bar).top && box(element).top < box(bar).bottom);
  });

async function channelAs(forum: Forum) {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  return { ana, channel };
}

test('a channel just created is confirmed on home, with a link to it', async ({
  forum,
  openAs,
}) => {
  const page = await openAs(await forum.person());
  await page.goto(pageRoutes.create);
  await titleField(page).fill('Café con libros');
  await descriptionField(page).fill('Los jueves a las siete.');
  await coverField(page).setInputFiles(await plainImage());
  await expect(uploadedMark(page)).toBeVisible();
  await createButton(page).click();
  await expect(page).toHaveURL(pageRoutes.home);
  await expect(bar(page).getByRole('status')).toContainText('Canal creado');
  await bar(page).getByRole('link', { name: 'Ver el canal' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Café con libros');
  await expect(bar(page)).toHaveCount(0);
});

test('a comment sent and a session ended are announced', async ({ forum, openAs }) => {
  const { ana, channel } = await channelAs(forum);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  await sendComment(page, 'Nos vemos el jueves.');
  await expect(bar(page).getByRole('status')).toHaveText('Comentario enviado');
  await signOut(page);
  await expect(bar(page).getByRole('status')).toHaveText('Has cerrado sesión.');
});

test('a text leaves after eight seconds, but not while it is hovered or focused', async ({
  forum,
  openAs,
}) => {
  const { ana } = await channelAs(forum);
  const page = await openAs(ana);
  await page.clock.install();
  await page.goto(pageRoutes.home);
  await show(page, { text: 'Cambios guardados' });
  await bar(page).hover();
  // The bar notices the pointer before the time passes.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  await page.clock.runFor(20_000);
  await expect(bar(page)).toBeVisible();
  await page.mouse.move(0, 0);
  await closeButton(page).focus();
  await page.clock.runFor(20_000);
  await expect(bar(page)).toBeVisible();
  await page.getByRole('button', { name: 'Menú de usuario' }).focus();
  await page.clock.runFor(9_000);
  await expect(bar(page)).toHaveCount(0);
});

test('an action stays, also on another page, until it is used; the focus goes back', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelAs(forum);
  const page = await openAs(ana);
  await page.clock.install();
  await page.goto(pageRoutes.channel(channel._id));
  await show(page, { text: 'Comentario eliminado' }, 'Deshacer');
  await page.clock.runFor(120_000);
  await page.getByRole('link', { name: 'tertulia', exact: true }).click();
  await expect(page).toHaveURL(pageRoutes.home);
  const logo = page.getByRole('link', { name: 'tertulia', exact: true });
  await logo.focus();
  const undo = bar(page).getByRole('button', { name: 'Deshacer' });
  await undo.focus();
  await page.keyboard.press('Enter');
  expect(await undone(page)).toBe(true);
  await expect(bar(page)).toHaveCount(0);
  await expect(logo).toBeFocused();
});

test.describe('once its person has gone', () => {
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

test('Escape and the button close the bar; a new message replaces the one before', async ({
  forum,
  openAs,
}) => {
  const { ana } = await channelAs(forum);
  const page = await openAs(ana);
  await page.goto(pageRoutes.home);
  await show(page, { text: 'Uno' });
  await show(page, { text: 'Dos' });
  await expect(bar(page).getByRole('status')).toHaveText('Dos');
  await closeButton(page).focus();
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await show(page, { text: 'Dos' });
  await closeButton(page).click();
  await expect(bar(page)).toHaveCount(0);
});

test('never covers a field or the focus, at any size of the window', async ({ forum, openAs }) => {
  const { ana, channel } = await channelAs(forum);
  const page = await openAs(ana);
  for (const size of [
    { width: 320, height: 256 },
    { width: 375, height: 420 },
    { width: 1280, height: 720 },
  ]) {
    const at = `${size.width} × ${size.height}`;
    await page.setViewportSize(size);
    await page.goto(pageRoutes.channel(channel._id));
    await expect(commentField(page)).toBeVisible();
    const text = 'Has entrado como Ana Belén.';
    const link = { href: '/', label: 'Volver a un canal cuyo título es bastante largo' };
    await show(page, { text, links: [link] });
    const { height } = await page.evaluate(() => document.body.getBoundingClientRect());
    for (let top = 0; top < height; top += 40) {
      await page.evaluate(
        (y) =>
          new Promise((resolve) => {
            scrollTo(0, y);
            requestAnimationFrame(() => requestAnimationFrame(resolve));
          }),
        top,
      );
      expect(await coversSomething(page), `${at}, scrolled to ${top}`).toBe(false);
    }
    await page.evaluate(() => scrollTo(0, 0));
    for (let steps = 0; steps < 12; steps += 1) {
      await page.keyboard.press('Tab');
      expect(await coversSomething(page), `${at}, after ${steps + 1} Tab`).toBe(false);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
  }
});

test('covers neither the slim bar of a channel nor, once scrolling has ended, a link or button', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelAs(forum);
  for (let i = 0; i < 12; i++)
    await forum.comment(ana, channel._id, 'Mañana en la plaza. '.repeat(40));
  const page = await openAs(ana, { viewport: { width: 375, height: 667 } });
  await page.goto(pageRoutes.channel(channel._id));
  await expect(commentField(page)).toBeVisible();
  await show(page, { text: 'Tu sesión ha terminado.', links: [{ href: '/', label: 'Entrar' }] });
  const covered = () =>
    page.evaluate(() => {
      const bar = document.querySelector('[aria-label="Aviso"]');
      const box = bar?.getBoundingClientRect() ?? new DOMRect();
      return [...document.querySelectorAll('main a, main button, main aside[data-passed]')]
        .filter((one) => one.checkVisibility())
        .map((one) => ({ one, at: one.getBoundingClientRect() }))
        .filter(({ at }) => at.width > 0 && at.bottom > box.top && at.top < box.bottom)
        .filter(({ at }) => at.right > box.left && at.left < box.right)
        .map(({ one }) => one.textContent);
    });
  for (let top = 900; top < 4000; top += 333) {
    await page.evaluate(
      (y) =>
        new Promise((resolve) => {
          addEventListener('scrollend', () => requestAnimationFrame(resolve), { once: true });
          scrollTo(0, y);
        }),
      top,
    );
    await expect(page.getByRole('complementary', { name: 'En este canal' })).toBeVisible();
    expect(await covered(), `scrolled to ${top}`).toEqual([]);
  }
});

test('the end of a page stays where it is scrolled to while the bar is shown', async ({
  forum,
  openAs,
}) => {
  const page = await openAs(await forum.person(), { viewport: { width: 1280, height: 800 } });
  await page.goto(pageRoutes.home);
  await page.getByRole('link', { name: 'Crear Canal', exact: true }).click();
  const text = 'Por si un día olvidas la contraseña, puedes imprimir códigos para volver a entrar.';
  await show(page, { text, links: [{ href: '/settings', label: 'Imprimir códigos' }] });
  const moved = await page.evaluate(async () => {
    scrollTo(0, document.documentElement.scrollHeight);
    const before = scrollY;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return scrollY - before;
  });
  expect(moved).toBe(0);
});

test('passes axe in either theme', async ({ forum, openAs }) => {
  const { ana } = await channelAs(forum);
  const page = await openAs(ana, { reducedMotion: 'reduce' });
  await page.goto(pageRoutes.home);
  const links = [{ href: '/', label: 'Ver' }];
  await show(page, { text: 'Comentario eliminado', links }, 'Deshacer');
  expect(await findingsInThemes(page)).toEqual({ light: [], dark: [] });
});
