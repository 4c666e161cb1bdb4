import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { dictionary } from '@zxcvbn-ts/language-common';
import { defineConfig, type Plugin } from 'vite';
import { bundlesOfInlinedStyles } from '../shared/pages.ts';

/** Writes each script in Brotli and gzip beside the uncompressed file. */
const precompress: Plugin = {
  name: 'precompress',
  apply: 'build',
  generateBundle: {
    // Vite changes the code until its own `generateBundle`.
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        const emit = (extension: string, source: Uint8Array) =>
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.${extension}`, source });
        emit('br', brotliCompressSync(file.code));
        emit('gz', gzipSync(file.code, { level: 9 }));
      }
    },
  },
};

/**
 * Pages contain the styles of what guests see. The styles of other parts come within their scripts,
 * so that they apply before such a part is rendered.
 */
const stylesInScripts: Plugin = {
  name: 'styles-in-scripts',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        // Vite lists the style sheets of dynamic imports, to load them.
        file.code = file.code
          .replace(/^const __vite__mapDeps=.*\n/, '')
          .replace(/,__vite__mapDeps\(\[[\d,]*\]\)/g, '');
        if (bundlesOfInlinedStyles.includes(file.name)) continue;
        const css = [...(file.viteMetadata?.importedCss ?? [])].map((name) => {
          const asset = bundle[name];
          return asset?.type === 'asset' ? String(asset.source).trim() : '';
        });
        if (css.length === 0) continue;
        const text = JSON.stringify(css.join(''));
        file.code = `{const s=new CSSStyleSheet;s.replaceSync(${text});document.adoptedStyleSheets.push(s)}${file.code}`;
      }
    },
  },
};

/**
 * Vite wraps each dynamic import in a function that also loads style sheets and preloads, of which
 * this build has none. Without it every first visit loads 0.6 kB less.
 */
const plainImports: Plugin = {
  name: 'plain-imports',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: /vite\/preload-helper/ },
    handler: () => 'export const __vitePreload = (load) => load();',
  },
};

/**
 * Puts the most common passwords alone into their script: the package has 50,000, and words. The page
 * renderer needs none.
 */
const commonPasswords = (count: number): Plugin => ({
  name: 'common-passwords',
  transform: {
    filter: { id: /\/common-passwords\.ts$/ },
    handler: () => {
      const list = dictionary['passwords-common'].slice(0, count).join(' ');
      return `export const commonPasswords = new Set(${JSON.stringify(list)}.split(' '))`;
    },
  },
});

/**
 * One file for two builds: `vite build` makes what browsers load (dist/client), and
 * `vite build --ssr src/client/entry-server.tsx` the page renderer that the server imports
 * (dist/server/entry-server.js), with React inside so that it depends on no other file.
 */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: isSsrBuild
    ? [commonPasswords(0)]
    : [commonPasswords(10_000), plainImports, stylesInScripts, precompress],
  resolve: {
    alias: {
      // React has it since version 18; the package is for older ones.
      'use-sync-external-store/shim/index.js': 'react',
      // Without it, uploads load 2.2 kB more and every first visit a second script.
      'url-parse': path.resolve(import.meta.dirname, 'uploads/native-url.ts'),
    },
  },
  // The same class names in both builds. Without a hash they take 1 kB less of each page.
  css: {
    modules: {
      generateScopedName: (name, file) => `${path.basename(file, '.module.css')}_${name}`,
    },
  },
  // The first versions with CSS light-dark(): transpiling it would break the themes.
  build: {
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    ...(isSsrBuild
      ? {
          outDir: 'dist/server',
          copyPublicDir: false,
          minify: true,
          rolldownOptions: { output: { codeSplitting: false } },
        }
      : {
          outDir: 'dist/client',
          manifest: true,
          // The licences of the packages in the scripts: .vite/license.md.
          license: true,
          modulePreload: false,
          rolldownOptions: {
            input: 'src/client/entry-client.tsx',
            // No getter here acts, and no global is read for its effect.
            treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
            output: {
              codeSplitting: {
                groups: [
                  // What the entry imports statically is one script, however bundles share it.
                  { name: 'entry', tags: ['$initial'] },
                  // Other bundles may import what this one contains: it is loaded before them.
                  { name: 'late-bundle', test: /\/late-bundle\.ts$/ },
                  // What else bundles share is another.
                  { name: 'shared', minShareCount: 2 },
                ],
              },
            },
          },
        }),
  },
  ...(isSsrBuild && {
    // Loaded in browsers only.
    ssr: { noExternal: true, external: ['tus-js-client'] },
    define: { 'process.env.NODE_ENV': '"production"' },
  }),
}));
