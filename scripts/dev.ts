// `npm run dev`: the server behind Vite. A change in the client reloads the page; a change in the server restarts
// this process (node --watch) and reloads the page.
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createVite, transformWithOxc } from 'vite';
import { buildApp } from '../src/server/app.ts';
import { openSite } from '../src/server/operation/start/open-site.ts';
import { createDocumentRenderer } from '../src/server/pages/render-page.ts';
import { parseConfig } from '../src/server/system/settings/config.ts';
import type { RenderRoot } from '../src/shared/page-data.ts';

const config = parseConfig({ LOG_LEVEL: 'warn', ...process.env });
const vite = await createVite({
  configFile: 'src/client/vite.config.ts',
  appType: 'custom',
  server: { middlewareMode: true },
});

const beforePaint = 'src/client/app/theme/before-paint.ts';

let render: RenderRoot = () => {
  throw new Error('the renderer is not loaded yet');
};
const renderDocument = createDocumentRenderer({
  render: (input) => render(input),
  beforePaint: (await transformWithOxc(await readFile(beforePaint, 'utf8'), beforePaint)).code,
  assetsOf: () => ({
    scripts: ['/@vite/client', '/src/client/app/entry-client.tsx'],
    preloaded: [],
    accountScripts: [],
    // Vite's scripts add the styles, and replace them when they change.
    styles: [],
  }),
});
const services = await openSite(config, {
  renderDocument: (input, origin) => ({
    ...renderDocument(input, origin),
    contentSecurityPolicy: "default-src 'self' 'unsafe-inline' https: data: blob: ws:",
  }),
});
const app = await buildApp(services, { logger: { level: config.logLevel } });
await app.ready();

const server = createHttpServer((request, response) => {
  vite.middlewares(request, response, async () => {
    try {
      const loaded = (await vite.ssrLoadModule('/src/client/app/entry-server.tsx')) as {
        render: RenderRoot;
      };
      // Cached pages were rendered by an older version.
      if (loaded.render !== render) services.responses.clear();
      render = loaded.render;
    } catch (error) {
      // Keep serving with the last version that loaded.
      console.error(error);
    }
    app.routing(request, response);
  });
});
process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await vite.close();
  await app.close();
  await services.close();
});

server.listen(config.port, config.host, () => {
  console.log(
    `tertulia for development: http://localhost:${config.port}, data in ${config.dataDir}`,
  );
});
