/** Takes the images in docs/screenshots of the demo, first while everyone may read it, then only its members. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, chromium, devices, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';
import { apiRoutes } from '../src/shared/api-routes.ts';
import { pageRoutes, searchUrl } from '../src/shared/routes.ts';
import type { SettingsChange } from '../src/shared/site-settings.ts';
import { chromiumOptions } from '../test/browser/chromium.ts';
import { timesAgo } from '../test/browser/hydration.ts';
import { browserSubscription } from '../test/push/remembered.ts';
import { DemoClient } from './demo/demo-client.ts';
import type { DemoAccount } from './demo/fill.ts';
import { drawCover } from './demo/images.ts';
import { type Demo, startDemo } from './demo/start-demo.ts';

const folder = path.join(import.meta.dirname, '../docs/screenshots');
const themes = ['light', 'dark'] as const;
const widths = [375, 1280] as const;
const viewportHeight = 900;
const marginAbove = 12;
/** File name of the channel in the demo's content. */
const channelShown = 'palabras-que-se-pierden';

const membersOnly: SettingsChange = {
  name: 'Vecinos de la Ribera',
  welcome: 'Lo que pasa en el barrio.',
  contact: 'En el local, los jueves por la tarde.',
  readers: 'members',
  registration: 'invitation',
};

const newCover = await drawCover('trueque-de-semillas', 'huertos-912');

type Viewer = 'member' | 'moderator' | 'guest';

/** `show` opens the page and waits until it is complete. */
const images: {
  name: string;
  maxHeight: number;
  viewer?: Viewer;
  isMembersOnly?: boolean;
  /** The widths of the images; all by default. */
  only?: (typeof widths)[number];
  /** Element at the top of the image; the top of the page by default. */
  top?: (page: Page) => Locator;
  show: (page: Page, demo: Demo) => Promise<unknown>;
}[] = [
  {
    name: 'home',
    maxHeight: 1700,
    show: showHome,
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
    show: async (page) => {
      await page.goto(searchUrl({ q: 'tomate' }));
      // Hydration adds titles to relative times.
      await timesAgo(page).first().waitFor();
    },
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
    maxHeight: 1000,
    show: async (page) => {
      await page.goto(pageRoutes.notifications);
      await timesAgo(page).first().waitFor();
    },
  },
  {
    name: 'settings',
    maxHeight: 2340,
    show: async (page) => {
      await page.goto(pageRoutes.settings);
      await timesAgo(page).first().waitFor();
    },
  },
  {
    name: 'push',
    maxHeight: 700,
    only: 375,
    top: pushSection,
    show: async (page) => {
      await page.goto(pageRoutes.settings);
      await pushSection(page).getByRole('button', { name: 'Activar' }).click();
      await pushSection(page).getByText('(este)').waitFor();
      await page.getByRole('button', { name: 'Cerrar aviso' }).click();
    },
  },
  {
    name: 'moderation',
    maxHeight: 1700,
    viewer: 'moderator',
    show: showQueue,
  },
  {
    name: 'decision',
    maxHeight: 1500,
    viewer: 'moderator',
    top: (page) => page.getByRole('heading', { level: 2 }).first(),
    show: async (page) => {
      await showQueue(page);
      await page.getByRole('button', { name: 'Ocultar', exact: true }).first().click();
      await page.getByLabel('Motivo').fill('Es publicidad de tres cafés.');
    },
  },
  {
    name: 'members-only-guest',
    maxHeight: 900,
    isMembersOnly: true,
    viewer: 'guest',
    show: async (page) => {
      await page.goto(pageRoutes.home);
      await page.getByText('Esta comunidad solo la leen sus miembros.').waitFor();
    },
  },
  {
    name: 'members-only-home',
    maxHeight: 1000,
    isMembersOnly: true,
    show: showHome,
  },
];

function pushSection(page: Page): Locator {
  return page.getByRole('region', { name: 'Avisos en este dispositivo' });
}

async function showHome(page: Page): Promise<void> {
  await page.goto(pageRoutes.home);
  await page.getByRole('link', { name: 'Crear Canal' }).waitFor();
}

async function showQueue(page: Page): Promise<void> {
  await page.goto(pageRoutes.moderation);
  await page.getByRole('button', { name: 'Todo en orden' }).first().waitFor();
}

async function showChannel(page: Page, demo: Demo): Promise<void> {
  await page.goto(pageRoutes.channel(demo.channels.get(channelShown) ?? ''));
  await page.getByLabel('Escribe un comentario').waitFor();
}

async function takeAll(
  browser: Browser,
  demo: Demo,
  isMembersOnly: boolean,
  theme: (typeof themes)[number],
  width: (typeof widths)[number],
) {
  for (const viewer of ['member', 'moderator', 'guest'] as const) {
    const context = await browser.newContext({
      baseURL: demo.url,
      viewport: { width, height: viewportHeight },
      colorScheme: theme,
      reducedMotion: 'reduce',
      locale: 'es-ES',
      timezoneId: 'Europe/Madrid',
      ...(width === 375 && {
        userAgent: devices['Pixel 7'].userAgent,
        isMobile: true,
        hasTouch: true,
      }),
      permissions: ['notifications'],
    });
    const page = await context.newPage();
    const [person] = demo.people;
    if (viewer !== 'guest') await signIn(page, viewer === 'member' ? person : demo.moderator);
    // Comments and notifications stay new for the next images.
    for (const read of [apiRoutes.reads, apiRoutes.notificationsSeen])
      await page.route(`**${read}`, (route) => route.fulfill({ status: 204 }));
    for (const image of images) {
      const { name, maxHeight, show, top, only = width } = image;
      if ((image.viewer ?? 'member') !== viewer || only !== width) continue;
      if ((image.isMembersOnly ?? false) !== isMembersOnly) continue;
      await show(page, demo);
      await save(page, `${name}-${theme}-${width}`, maxHeight, top?.(page));
    }
    if (viewer !== 'guest') await signOut(page);
    await context.close();
  }
}

/** Signs in, in a browser that stays signed in and can be sent push messages. */
async function signIn(page: Page, person: DemoAccount | undefined): Promise<void> {
  // This browser has no push service; nothing is sent to the subscription.
  await page.addInitScript((subscription) => {
    let made: object | null = null;
    Object.assign(PushManager.prototype, {
      getSubscription: async () => made,
      subscribe: async () => {
        made = { ...subscription, toJSON: () => subscription };
        return made;
      },
    });
  }, browserSubscription());
  await page.goto(pageRoutes.login);
  await page.getByLabel('Correo electrónico').fill(person?.email ?? '');
  await page.getByLabel('Contraseña').fill(person?.password ?? '');
  await page.getByLabel('Recordarme').check();
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await page.waitForURL(pageRoutes.home);
}

/** Signs out, so that the settings list no sessions of earlier images. */
async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menú de usuario' }).click();
  await page.getByRole('button', { name: 'Cerrar sesión' }).click();
  const signInLink = page.getByRole('main').getByRole('link', { name: 'Iniciar sesión' });
  await signInLink.first().waitFor();
}

async function closeCommunity({ url, moderator }: Demo): Promise<void> {
  const { token } = await new DemoClient(url).signIn(moderator.email, moderator.password);
  const response = await fetch(new URL(apiRoutes.siteSettings, url), {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'if-match': '"0"',
    },
    body: JSON.stringify(membersOnly),
  });
  if (!response.ok) throw new Error(await response.text());
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
  const viewport = page.viewportSize() ?? { width: 0, height: viewportHeight };
  const { width } = viewport;
  // A screenshot of the full page would show a touch screen as one with a mouse.
  const pageHeight = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: pageHeight });
  await page.evaluate(() => scrollTo(0, 0));
  const y = (await from?.evaluate((element) => element.getBoundingClientRect().top + scrollY)) ?? 0;
  const top = Math.max(0, Math.floor(y) - marginAbove);
  const height = Math.min(pageHeight - top, maxHeight);
  const image = await page.screenshot({
    animations: 'disabled',
    clip: { x: 0, y: top, width, height },
  });
  await page.setViewportSize(viewport);
  await sharp(image)
    .png({ palette: true, colours: 192, effort: 10, compressionLevel: 9 })
    .toFile(path.join(folder, `${name}.png`));
}

await mkdir(folder, { recursive: true });
// Push messages need https, which the browser does not need on this machine.
const demo = await startDemo({
  HOST: '127.0.0.1',
  PORT: '0',
  PUBLIC_URL: 'https://foro.example',
});
const browser = await chromium.launch(chromiumOptions);
try {
  for (const isMembersOnly of [false, true]) {
    if (isMembersOnly) await closeCommunity(demo);
    for (const theme of themes) {
      for (const width of widths) await takeAll(browser, demo, isMembersOnly, theme, width);
    }
  }
} finally {
  await browser.close();
  await demo.stop();
}
