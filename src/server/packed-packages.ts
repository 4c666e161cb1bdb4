import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Packages that come in hundreds of small files, whose loading took a quarter of the start and of
 * the memory. `scripts/pack-packages.ts` makes one file of each, and files of what they share.
 */
export const packedPackages = [
  'kysely',
  'typebox',
  'typebox/compile',
  'typebox/format',
  'typebox/value',
];

export const packedDir = path.resolve(import.meta.dirname, '../../dist/packages');

/** Name of the file within `packedDir`, without its ending. */
export function packedName(specifier: string): string {
  return specifier.replace('/', '-');
}

/** Whoever imports one of these packages from now on gets it from its one file. */
export function importPackedPackages(): void {
  const urls = new Map(
    packedPackages.map((specifier) => [
      specifier,
      pathToFileURL(path.join(packedDir, `${packedName(specifier)}.js`)).href,
    ]),
  );
  registerHooks({
    resolve(specifier, context, next) {
      const url = urls.get(specifier);
      return url ? { url, shortCircuit: true } : next(specifier, context);
    },
  });
}
