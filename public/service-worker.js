/*
 * Shows push messages (src/server/push/push-message.ts) and, without a connection, a page that says so. It caches nothing.
 * Only browsers in which somebody switched push messages on have it, until they are switched off or the person signs out.
 * How to retire it everywhere: docs/operating.md.
 */
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
function read(data) {
  try {
    return data.json();
  } catch {
    return { title: 'Tienes avisos nuevos', body: '', url: '/notifications', tag: '' };
  }
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(new URL(event.notification.data, self.registration.scope).href));
});

async function show(url) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = windows.find((window) => window.url === url);
  return shown ? shown.focus() : self.clients.openWindow(url);
}

self.addEventListener('fetch', (event) => {
  const { mode, method } = event.request;
  if (mode === 'navigate' && method === 'GET') event.respondWith(navigate(event));
});

async function navigate({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return new Response(offline, { status: 503, headers });
  }
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
};
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
</main>
</html>`;
