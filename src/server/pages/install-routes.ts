import type { FastifyReply } from 'fastify';
import { siteNameOf, siteTile } from '../../shared/site-name.ts';
import type { App } from '../http/app-type.ts';
import { CachedResponse, sendCachedResponse } from '../http/cache/cached-response.ts';
import { drawAzulejoIcon } from './azulejo/draw-azulejo.ts';

const manifestPath = '/manifest.webmanifest';

/** Paths of the icons, with their width and height in pixels. */
const icons = {
  favicon: { path: '/favicon.ico', pixels: 32 },
  touch: { path: '/apple-touch-icon.png', pixels: 180 },
  small: { path: '/icon-192.png', pixels: 192 },
  large: { path: '/icon-512.png', pixels: 512 },
} as const;

/** The paper of the light theme, behind the icon while the installed site starts. */
const paper = '#faf7f2';

/** Elements of a page's head, beside the link to the icon, by which a browser offers to install the site. */
export const installLinks = `<link rel="manifest" href="${manifestPath}"><link rel="apple-touch-icon" href="${icons.touch.path}">`;

/** The link to the site's icon, for every page. */
export const iconLink = `<link rel="icon" href="${icons.favicon.path}" sizes="${icons.favicon.pixels}x${icons.favicon.pixels}">`;

/**
 * Serves what a browser needs to install the site: a manifest with the community's name, and icons of the tiles that
 * stand for it. A new name is in the manifest at once, and in icons that browsers have within an hour.
 */
export function installRoutes(
  app: App,
  { settings }: { settings: () => Promise<{ name: string }> },
): void {
  const schema = { hide: true };
  const iconOf = iconMaker();
  app.get(manifestPath, { schema }, async (_request, reply) =>
    sendCachedResponse(reply, manifestOf(siteNameOf(await settings()))),
  );
  for (const { path, pixels } of Object.values(icons)) {
    app.get(path, { schema }, async (_request, reply): Promise<FastifyReply> => {
      const icon = await iconOf(siteTile(await settings()), path, pixels);
      return sendCachedResponse(reply, icon);
    });
  }
}

function manifestOf(name: string): CachedResponse {
  const icon = ({ path, pixels }: { path: string; pixels: number }, purpose: string) => ({
    src: path,
    sizes: `${pixels}x${pixels}`,
    type: 'image/png',
    purpose,
  });
  const manifest = {
    id: '/',
    name,
    lang: 'es',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: paper,
    background_color: paper,
    // Tiles may be cropped to any shape.
    icons: [icon(icons.small, 'any'), icon(icons.large, 'any'), icon(icons.large, 'maskable')],
  };
  return new CachedResponse(JSON.stringify(manifest), {
    'content-type': 'application/manifest+json; charset=utf-8',
    'cache-control': 'public, no-cache',
  });
}

/** Draws each icon once for each name of the community. */
function iconMaker() {
  let seedOfMade = '';
  const made = new Map<string, Promise<CachedResponse>>();
  return (seed: string, path: string, pixels: number): Promise<CachedResponse> => {
    if (seed !== seedOfMade) made.clear();
    seedOfMade = seed;
    const icon = made.get(path) ?? drawIcon(seed, path, pixels);
    made.set(path, icon);
    // The next request tries again.
    icon.catch(() => made.get(path) === icon && made.delete(path));
    return icon;
  };
}

async function drawIcon(seed: string, path: string, pixels: number): Promise<CachedResponse> {
  const png = Buffer.from(await drawAzulejoIcon(seed, pixels));
  const isIco = path === icons.favicon.path;
  return new CachedResponse(isIco ? icoOf(png, pixels) : png, {
    'content-type': isIco ? 'image/x-icon' : 'image/png',
    'cache-control': 'public, max-age=3600',
  });
}

/** An ICO file that contains one PNG. */
function icoOf(png: Buffer, pixels: number): Buffer {
  const head = Buffer.alloc(22);
  // An icon (1) with one image.
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(pixels, 6);
  head.writeUInt8(pixels, 7);
  // One colour plane, 24 bits a pixel.
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(24, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
