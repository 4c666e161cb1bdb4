import { readdir } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { serviceWorkerPath } from '../../shared/service-worker.ts';

const clientDir = path.resolve(import.meta.dirname, '../../../dist/client');

/** The policy of the script is that of the worker, which fetches pages. */
const serviceWorkerHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'none'; connect-src 'self'",
};

export async function serveStaticFiles(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: clientDir,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    // All files are small, so range requests are not worth supporting.
    acceptRanges: false,
    setHeaders: (reply, file) => {
      if (file === path.join(clientDir, serviceWorkerPath)) {
        reply.headers(serviceWorkerHeaders);
        return;
      }
      const hashed = file.startsWith(path.join(clientDir, 'assets'));
      reply.header(
        'cache-control',
        hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
    },
  });
  // One route for each file, so that unknown URLs reach the not-found handler.
  for (const file of await builtFiles()) {
    app.route({
      method: ['GET', 'HEAD'],
      url: `/${file}`,
      config: { moves: 'file', isUnlisted: true },
      schema: { hide: true },
      handler: (_request, reply) => reply.sendFile(file),
    });
  }
}

/** Lists the paths within the build, without the manifest and the compressed variants. */
async function builtFiles(): Promise<string[]> {
  const files = await readdir(clientDir, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => path.relative(clientDir, path.join(parentPath, name)))
    .filter((file) => !/^\.vite|\.(br|gz)$/.test(file));
}
