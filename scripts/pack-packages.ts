/**
 * Packs the 945 modules of TypeBox and Kysely that a start loads into eleven files. They replace the modules that the
 * packages export, so that imports, types and everything else stay the same.
 *
 *   node_modules/.bin/node scripts/pack-packages.ts FOLDER   with `node_modules` in it
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { build } from 'vite';

// prepare.js runs a copy of this file alone.
const Manifest = Type.Object({
  exports: Type.Record(Type.String(), Type.Object({ import: Type.Optional(Type.String()) })),
});

export async function packPackages(folder: string): Promise<void> {
  for (const name of ['typebox', 'kysely']) {
    const outDir = path.resolve(folder, 'node_modules', name);
    const manifest = readFileSync(path.join(outDir, 'package.json'), 'utf8');
    const files = Object.values(Value.Parse(Manifest, JSON.parse(manifest)).exports).flatMap(
      (one) => one.import ?? [],
    );
    await build({
      configFile: false,
      logLevel: 'warn',
      root: folder,
      build: {
        ssr: true,
        outDir,
        emptyOutDir: false,
        copyPublicDir: false,
        minify: false,
        rolldownOptions: {
          input: Object.fromEntries(
            files.map((file) => [path.normalize(file), path.join(outDir, file)]),
          ),
          preserveEntrySignatures: 'strict',
          output: { entryFileNames: '[name]', chunkFileNames: 'packed/[name].mjs' },
          // Comments with paths would make the bytes of a release depend on the folder it is made in.
          experimental: { attachDebugInfo: 'none' },
        },
      },
    });
  }
}

const [folder] = process.argv.slice(2);
if (import.meta.main && folder) await packPackages(folder);
