import { readdir } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const clientDir = path.resolve(import.meta.dirname, '../../../dist/client');

/** Serves what the client's build made, each file under its own address and nothing else of the folder. */
export async function serveStaticFiles(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: clientDir,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, file) => {
      const hashed = file.startsWith(path.join(clientDir, 'assets'));
      reply.header(
        'cache-control',
        hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
    },
  });
  // One route a file: unknown addresses stay with the not-found handler.
  for (const file of await builtFiles()) {
    app.route({
      method: ['GET', 'HEAD'],
      url: `/${file}`,
      config: { load: 'light' },
      schema: { hide: true },
      handler: (_request, reply) => reply.sendFile(file),
    });
  }
}

/** Paths within the build; what only tells the server about it, and compressed forms, are none. */
async function builtFiles(): Promise<string[]> {
  const files = await readdir(clientDir, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => path.relative(clientDir, path.join(parentPath, name)))
    .filter((file) => !/^\.vite|\.(br|gz)$/.test(file));
}
