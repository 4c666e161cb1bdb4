/*
 * Shows push messages (src/server/notifications/pass/push-message.ts) and, without a connection, a page that says so. It caches nothing.
 * The app on a home screen has it, and browsers in which somebody switched push messages on, until they are switched off
 * or the person signs out.
 * How to retire it everywhere: docs/operating.md. It is no module: the build removes the types (vite.config.ts), so that
 * it can import nothing else.
 */
import type { OpenRequest, PushMessage } from '../../shared/service-worker.ts';

declare const self: ServiceWorkerGlobalScope;

/** How long a page has to answer. */
const answerMs = 1000;

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => {
  // Pages are requested while the worker starts, so that it delays none.
  event.waitUntil(self.registration.navigationPreload?.enable());
});

self.addEventListener('push', (event) => {
  const { title, body, url, tag } = read(event.data);
  event.waitUntil(self.registration.showNotification(title, { body, tag, lang: 'es', data: url }));
});

/** Browsers require that each message is shown, also one that cannot be read. */
function read(data: PushMessageData | null): PushMessage {
  try {
    const message: unknown = data?.json();
    return isMessage(message) ? message : unreadable;
  } catch {
    return unreadable;
  }
}

function isMessage(value: unknown): value is PushMessage {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Partial<Record<string, unknown>> = { ...value };
  return ['title', 'body', 'url', 'tag'].every((name) => typeof fields[name] === 'string');
}

const unreadable = { title: 'Tienes avisos nuevos', body: '', url: '/notifications', tag: '' };

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(String(event.notification.data)));
});

/**
 * Shows the place in the window that was used last. What the window shows is only known there: `client.url` is the
 * address at which its document was loaded.
 */
async function show(url: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const window of windows) {
    // Asked first: for one press, browsers focus one window or open one, not both.
    const answer = await askToOpen(window, url);
    if (answer === false) continue;
    // Browsers may refuse, as when the press was too long ago.
    const shown = await window.focus().catch(() => window);
    if (answer === true) return;
    // The browser may have frozen the page. Otherwise no script of the site runs there, as on the page for lost
    // connections below.
    const second = await askToOpen(shown, url);
    if (second === true) return;
    if (second === undefined && (await shown.navigate(url).catch(() => null))) return;
  }
  await self.clients.openWindow(url);
}

/** @returns the answer of the page, undefined if there is none */
function askToOpen(window: WindowClient, url: string): Promise<boolean | undefined> {
  const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => resolve(data === true);
  setTimeout(resolve, answerMs);
  window.postMessage({ opens: url } satisfies OpenRequest, [port2]);
  return promise;
}

self.addEventListener('fetch', (event) => {
  const { mode, method } = event.request;
  if (mode === 'navigate' && method === 'GET') event.respondWith(navigate(event));
});

async function navigate({ request, preloadResponse }: FetchEvent): Promise<Response> {
  try {
    const preloaded: unknown = await preloadResponse;
    return preloaded instanceof Response ? preloaded : await fetch(request);
  } catch {
    return new Response(offline, { status: 503, headers });
  }
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'",
};
/** The page loads itself anew as soon as the server answers anything. */
const offline = `<!doctype html>
<html lang="es">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sin conexión</title>
<style>
body { max-width: 34rem; margin: 15vh auto; padding: 0 20px; font: 17px/1.55 system-ui, sans-serif;
  background: light-dark(#faf7f2, #16130f); color: light-dark(#221c16, #efe7dc); }
h1 { font: 700 26px/1.25 Georgia, serif; }
a { display: inline-block; padding: 10px 0; color: light-dark(#a63d1a, #f08a5d); }
</style>
<main>
<h1>Sin conexión</h1>
<p>Ahora no se puede abrir esta página. Los comentarios que dejaste a medias siguen guardados en este navegador.</p>
<a href="">Volver a intentarlo</a>
<p>Se abrirá sola en cuanto vuelva la conexión.</p>
</main>
<script>
const retry = () => fetch('/robots.txt', { method: 'HEAD', cache: 'no-store' }).then(() => location.reload(), () => {});
addEventListener('online', retry);
setInterval(retry, 10000);
</script>
</html>`;
