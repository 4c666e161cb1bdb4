import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, minify, type Plugin, type Rolldown, transformWithOxc } from 'vite';
import { pages } from '../shared/pages.ts';

/** Writes Brotli and gzip versions of each script and style sheet of `assets` beside the uncompressed file. */
const precompress: Plugin = {
  name: 'precompress',
  apply: 'build',
  generateBundle: {
    // Vite changes the code until its own `generateBundle`.
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (!/^assets\/.*\.(?:js|css)$/.test(file.fileName)) continue;
        const content = file.type === 'chunk' ? file.code : file.source;
        const emit = (extension: string, source: Uint8Array) =>
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.${extension}`, source });
        emit('br', brotliCompressSync(content));
        emit('gz', gzipSync(content, { level: 9 }));
      }
    },
  },
};

/**
 * Adds a script that is no module to a build. It can import types only.
 * @param target oldest syntax that a browser must understand
 */
const plainScript = (source: string, fileName: string, target: string): Plugin => ({
  name: 'plain-script',
  apply: 'build',
  async generateBundle() {
    const { code } = await transformWithOxc(readFileSync(source, 'utf8'), source, { target });
    const minified = await minify(fileName, code, { compress: { target } });
    // An import of types leaves the mark of a module.
    this.emitFile({ type: 'asset', fileName, source: minified.code.replace(/export\{\};$/, '') });
  },
});

/**
 * Gives React's CommonJS files named exports. Otherwise each call of a hook and each created element goes through a
 * getter, which takes about 3 % of a page's rendering time.
 */
const namedExports: Plugin = {
  name: 'named-exports',
  apply: 'build',
  transform: {
    filter: { id: /\/react\/(?:index|jsx-runtime)\.js$/ },
    handler(_code, id) {
      const file = `./cjs/${id.endsWith('/index.js') ? 'react' : 'react-jsx-runtime'}.production.js`;
      const all: unknown = createRequire(id)(file);
      const names = Object.keys(all ?? {});
      return `import all from '${file}'; export default all; export const { ${names} } = all;`;
    },
  },
};

const inClient = (module: string) => path.join(import.meta.dirname, module);

/** The modules of the pages that guests open, each of which is a script. */
const guestPages = Object.values(pages).flatMap(({ module, needsSignIn }) =>
  needsSignIn === true ? [] : [module],
);

/** A module of every page that queries the server. */
const queryClient = 'api/query-client.ts';

/** The module that starts every page. */
const entry = 'app/entry-client.tsx';

/**
 * Names the script for a module that several scripts share. A first view should not wait for ten: what home shares only
 * with pages that query the server is one script, what it shares with others is in the entry, and what else a channel
 * shares is one script. Other modules are named after the guests' pages that load them, so that none of these pages loads
 * much that it does not use. The rest is one script for the public pages of people with an account, and one for their
 * other pages.
 * @param importersOf the modules that import a module statically
 */
function groupByPages(id: string, importersOf: (id: string) => readonly string[]): string {
  const isLoadedBy = loadersOf(id, importersOf);
  const shown = guestPages.filter(isLoadedBy);
  const isShownBy = (page: keyof typeof pages) => shown.includes(pages[page].module);
  if (isLoadedBy(entry)) return 'entry';
  if (isShownBy('home')) {
    const queries = loadersOf(inClient(queryClient), importersOf);
    return shown.every(queries) ? 'public-queries' : 'entry';
  }
  if (isShownBy('channel')) return 'conversation';
  if (shown.length > 0) {
    const digits = guestPages.map((page) => Number(shown.includes(page)));
    return `shared-${parseInt(digits.join(''), 2).toString(36)}`;
  }
  return isLoadedBy('app/account-parts.ts') ? 'members' : 'own-pages';
}

/** @returns a function that says whether a module loads the given one */
function loadersOf(id: string, importersOf: (id: string) => readonly string[]) {
  const loading = new Set([id]);
  for (const one of loading) for (const importer of importersOf(one)) loading.add(importer);
  return (module: string) => loading.has(inClient(module));
}

/** As `groupByPages`, for the bundler. */
const scriptOf: Rolldown.CodeSplittingNameFunction = (id, context) =>
  groupByPages(id, (one) => context.getModuleInfo(one)?.importers ?? []);

/** The classes and animations of all CSS modules, each as its file and its name. */
const scopedNames = globSync('**/*.module.css', { cwd: import.meta.dirname })
  .sort()
  .flatMap((file) => {
    const css = readFileSync(inClient(file), 'utf8');
    const names = [...css.matchAll(/(?:\.|@keyframes )([a-z]\w*)/gi)].map(([, name]) => name);
    return [...new Set(names)].map((name) => `${inClient(file)} ${name}`);
  });

/**
 * Numbers the names of CSS modules, the same in both builds. With the names of their files and their own they would take
 * half a kilobyte more in each page.
 */
function numberedClass(name: string, file: string): string {
  const number = scopedNames.indexOf(`${file} ${name}`);
  if (number < 0) throw new Error(`${file} has no class ${name}`);
  return `_${number.toString(36)}`;
}

/** Disables warnings about `'use client'`, a directive in TanStack Query for other bundlers. */
const checks = { moduleLevelDirective: false };

/**
 * One file for two builds: `vite build` creates the browser files (dist/client), and `vite build --ssr
 * src/client/app/entry-server.tsx` the page renderer that the server imports (dist/server/entry-server.js), which
 * bundles React so that it depends on no other file, and the script that the server inlines (dist/server/before-paint.js).
 */
export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [
    namedExports,
    ...(isSsrBuild
      ? [plainScript('src/client/app/theme/before-paint.ts', 'before-paint.js', 'es2015')]
      : [
          precompress,
          plainScript('src/client/service-worker/service-worker.ts', 'service-worker.js', 'es2022'),
        ]),
  ],
  // React has had this hook itself since version 18.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  css: {
    modules: {
      generateScopedName: (name, file) =>
        command === 'build'
          ? numberedClass(name, file)
          : `${path.basename(file, '.module.css')}_${name}`,
    },
  },
  // The first versions with CSS light-dark(), which would not work when transpiled. Older browsers, which
  // before-paint.ts detects, are read-only.
  build: {
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    ...(isSsrBuild
      ? {
          outDir: 'dist/server',
          copyPublicDir: false,
          minify: true,
          rolldownOptions: { checks, output: { codeSplitting: false } },
        }
      : {
          outDir: 'dist/client',
          manifest: true,
          // Also in the build for coverage, whose scripts are not minified: pages contain the sheets, and their weight is tested.
          cssMinify: 'lightningcss' as const,
          // Writes the licences of the bundled packages to .vite/license.md.
          license: true,
          modulePreload: {
            // All these browsers support it.
            polyfill: false,
            // A part that is loaded later preloads its own script and its style sheets only. With the scripts that it shares,
            // these lists would add a kilobyte to each page.
            resolveDependencies: (script, loaded) =>
              loaded.filter((one) => one === script || !one.endsWith('.js')),
          },
          rolldownOptions: {
            checks,
            input: 'src/client/app/entry-client.tsx',
            output: {
              codeSplitting: {
                includeDependenciesRecursively: false,
                // Without groups there are some 50 scripts: one for each set of shared modules.
                groups: [
                  {
                    debugName: 'entry',
                    name: (id, context) => (scriptOf(id, context) === 'entry' ? 'entry' : null),
                  },
                  { debugName: 'shared', name: scriptOf, minShareCount: 2 },
                ],
              },
            },
          },
        }),
  },
  ...(isSsrBuild && {
    // The page renderer never loads tus.
    ssr: { noExternal: true, external: ['tus-js-client'] },
    define: { 'process.env.NODE_ENV': '"production"' },
  }),
}));
