/** Takes the images in docs/screenshots of a filled forum, as a signed-in person sees it. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, chromium, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';
import { pageRoutes, searchUrl } from '../src/shared/routes.ts';
import { chromiumOptions } from '../test/browser/chromium.ts';
import { timesAgo } from '../test/browser/hydration.ts';
import type { DemoAccount } from './demo/fill.ts';
import { drawCover } from './demo/images.ts';
import { type Demo, startDemo } from './demo/start-demo.ts';

const folder = path.join(import.meta.dirname, '../docs/screenshots');
const themes = ['light', 'dark'] as const;
const widths = [375, 1280] as const;
const viewportHeight = 900;
/** File name of the channel in the demo's content. */
const channelShown = 'palabras-que-se-pierden';
const channelSearched = 'recetas-de-la-abuela';

const newCover = await drawCover('trueque-de-semillas', 'huertos-912');

/** `show` opens the page and waits until it is complete. */
const images: {
  name: string;
  maxHeight: number;
  /** Whether the demo's moderator is signed in. */
  isForModerator?: boolean;
  /** Element at the top of the image; the top of the page by default. */
  top?: (page: Page) => Locator;
  show: (page: Page, demo: Demo) => Promise<unknown>;
}[] = [
  {
    name: 'home',
    maxHeight: 1700,
    show: async (page) => {
      await page.goto(pageRoutes.home);
      await page.getByRole('link', { name: 'Crear Canal' }).waitFor();
    },
  },
  {
    name: 'channel',
    maxHeight: 1700,
    show: showChannel,
  },
  {
    name: 'conversation',
    maxHeight: 2600,
    top: (page) => page.getByRole('listitem').filter({ hasText: '«Mecato»' }),
    show: showChannel,
  },
  {
    name: 'search',
    maxHeight: 1700,
    show: (page) => showSearch(page, { q: 'tomate' }),
  },
  {
    name: 'search-suggestion',
    maxHeight: 900,
    show: (page) => showSearch(page, { q: 'manana' }),
  },
  {
    name: 'search-in-channel',
    maxHeight: 1700,
    show: (page, demo) =>
      showSearch(page, { q: '"mi abuela"', channel: demo.channels.get(channelSearched) }),
  },
  {
    name: 'create',
    maxHeight: 1700,
    show: async (page) => {
      await page.goto(pageRoutes.create);
      await page.getByLabel('Título').fill('Trueque de semillas');
      await page
        .getByLabel('Descripción', { exact: true })
        .fill('Sobran semillas de calabaza y faltan de albahaca. Cada sobre, con su historia.');
      const { fileName, contentType, bytes } = newCover;
      await page
        .getByLabel('Imagen de portada')
        .setInputFiles({ name: fileName, mimeType: contentType, buffer: bytes });
      await page.getByText('Portada subida').waitFor();
    },
  },
  {
    name: 'profile',
    maxHeight: 1700,
    show: async (page) => {
      await page.goto(pageRoutes.profile);
      await page.getByText('Canales creados').waitFor();
    },
  },
  {
    name: 'notifications',
    maxHeight: 1700,
    show: async (page) => {
      await page.goto(pageRoutes.notifications);
      await timesAgo(page).first().waitFor();
    },
  },
  {
    name: 'settings',
    maxHeight: 2600,
    show: async (page) => {
      await page.goto(pageRoutes.settings);
      await timesAgo(page).first().waitFor();
    },
  },
  {
    name: 'moderation',
    maxHeight: 1700,
    isForModerator: true,
    show: showQueue,
  },
  {
    name: 'decision',
    maxHeight: 1700,
    isForModerator: true,
    show: async (page) => {
      await showQueue(page);
      await page.getByRole('button', { name: 'Ocultar', exact: true }).first().click();
      await page.getByLabel('Motivo').fill('Dice dónde vive otra persona.');
    },
  },
];

async function showQueue(page: Page): Promise<void> {
  await page.goto(pageRoutes.moderation);
  await page.getByRole('button', { name: 'Todo en orden' }).first().waitFor();
}

async function showSearch(page: Page, search: { q: string; channel?: string | undefined }) {
  await page.goto(searchUrl(search));
  // Hydration adds titles to relative times.
  const isComplete = timesAgo(page).or(page.getByText('¿Quizá quisiste decir'));
  await isComplete.first().waitFor();
}

async function showChannel(page: Page, demo: Demo): Promise<void> {
  await page.goto(pageRoutes.channel(demo.channels.get(channelShown) ?? ''));
  await page.getByLabel('Escribe un comentario').waitFor();
}

async function takeAll(
  browser: Browser,
  demo: Demo,
  theme: (typeof themes)[number],
  width: number,
) {
  for (const isModerator of [false, true]) {
    const context = await browser.newContext({
      baseURL: demo.url,
      viewport: { width, height: viewportHeight },
      colorScheme: theme,
      reducedMotion: 'reduce',
      locale: 'es-ES',
    });
    const page = await context.newPage();
    const [person] = demo.people;
    await signIn(page, isModerator ? demo.moderator : person);
    for (const { name, maxHeight, show, top, isForModerator = false } of images) {
      if (isForModerator !== isModerator) continue;
      await show(page, demo);
      await save(page, `${name}-${theme}-${width}`, maxHeight, top?.(page));
    }
    await context.close();
  }
}

async function signIn(page: Page, person: DemoAccount | undefined): Promise<void> {
  await page.goto(pageRoutes.login);
  await page.getByLabel('Correo electrónico').fill(person?.email ?? '');
  await page.getByLabel('Contraseña').fill(person?.password ?? '');
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await page.waitForURL(pageRoutes.home);
}

async function save(page: Page, name: string, maxHeight: number, from?: Locator): Promise<void> {
  await page.evaluate(async () => {
    // Hide the scrollbar and the focus ring.
    document.documentElement.style.scrollbarGutter = 'auto';
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    // Load the images below the viewport as well.
    const images = [...document.images];
    for (const image of images) image.loading = 'eager';
    await Promise.all(images.map((image) => image.decode().catch(() => {})));
  });
  const y = (await from?.evaluate((element) => element.getBoundingClientRect().top + scrollY)) ?? 0;
  const top = Math.floor(y);
  const whole = await page.screenshot({ fullPage: true, animations: 'disabled' });
  const { width, height } = await sharp(whole).metadata();
  await sharp(whole)
    .extract({ left: 0, top, width, height: Math.min(height - top, maxHeight) })
    .png({ palette: true, colours: 192, effort: 10, compressionLevel: 9 })
    .toFile(path.join(folder, `${name}.png`));
}

await mkdir(folder, { recursive: true });
const demo = await startDemo({ HOST: '127.0.0.1', PORT: '0' });
const browser = await chromium.launch(chromiumOptions);
try {
  for (const theme of themes) {
    for (const width of widths) await takeAll(browser, demo, theme, width);
  }
} finally {
  await browser.close();
  await demo.stop();
}
