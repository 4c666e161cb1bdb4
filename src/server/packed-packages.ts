import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Packages that come in dozens or hundreds of small files, whose loading took most of the start and
 * a third of the memory, with the names that are imported of each. `scripts/pack-packages.ts` makes
 * one file of each, and files of what they share.
 */
export const packedPackages: Record<string, string[]> = {
  '@fastify/cors': ['default'],
  '@fastify/static': ['default'],
  '@fastify/type-provider-typebox': ['TypeBoxValidatorCompiler'],
  '@fastify/under-pressure': ['default'],
  fastify: ['default', 'LogController'],
  kysely: [
    'CompiledQuery',
    'Kysely',
    'Migrator',
    'PostgresAdapter',
    'PostgresDialect',
    'SqliteAdapter',
    'SqliteDialect',
    'SqliteDriver',
    'sql',
  ],
  'rate-limiter-flexible': ['RateLimiterMemory', 'RateLimiterPostgres', 'RateLimiterRes'],
  typebox: ['default', 'Type'],
  'typebox/value': ['Value'],
  uuid: ['v7'],
};

export const packedDir = path.resolve(import.meta.dirname, '../../dist/packages');

/** Name of the file within `packedDir`, without its ending. */
export function packedName(specifier: string): string {
  return specifier.replace('@', '').replace('/', '-');
}

/** From now on our own code gets these packages from their one file each. */
export function importPackedPackages(): void {
  const urls = new Map(
    Object.keys(packedPackages).map((specifier) => [
      specifier,
      pathToFileURL(path.join(packedDir, `${packedName(specifier)}.js`)).href,
    ]),
  );
  registerHooks({
    resolve(specifier, context, next) {
      const url = urls.get(specifier);
      if (!url || context.parentURL?.includes('/node_modules/')) return next(specifier, context);
      return { url, shortCircuit: true };
    },
  });
}
