import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const clientDir = path.resolve(import.meta.dirname, '../../../dist/client');

/** Serves what the client's build made, each file under its own address and nothing else of the folder. */
export async function serveStaticFiles(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: clientDir,
    // One route a file: unknown addresses stay with the not-found handler.
    wildcard: false,
    globIgnore: ['.vite/**', '**/*.{br,gz}'],
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
}
