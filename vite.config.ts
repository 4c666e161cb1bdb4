import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type BuildOptions, defineConfig, type Plugin } from 'vite';

/** Puts beside each script its compressed forms, for the browsers that take them. */
const precompress: Plugin = {
  name: 'precompress',
  apply: 'build',
  generateBundle: {
    // Vite itself writes into the code until the end.
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
 * One file for two builds: `vite build` makes what browsers load (dist/client), and
 * `vite build --ssr src/client/entry-server.tsx` the page renderer that the server imports
 * (dist/server/entry-server.js), with React inside so that it depends on no other file.
 */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: isSsrBuild ? [] : [plainImports, precompress],
  resolve: {
    alias: {
      // wouter brings a stand-in for what React has had since version 18.
      'use-sync-external-store/shim/index.js': 'react',
      'url-parse': path.resolve(import.meta.dirname, 'src/client/uploads/native-url.ts'),
    },
  },
  // Named after file and class only: the same in both builds, or hydration would mismatch.
  css: { modules: { generateScopedName: '[local]_[hash:base64:5]' } },
  // The newest thing the pages rest on is CSS light-dark(); lowering it would break the themes.
  build: { target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'], ...sides(isSsrBuild) },
  ...(isSsrBuild && {
    // Uploads begin in a browser: the page renderer never loads their client.
    ssr: { noExternal: true, external: ['tus-js-client'] },
    define: { 'process.env.NODE_ENV': '"production"' },
  }),
}));

function sides(isSsrBuild: boolean | undefined): BuildOptions {
  if (isSsrBuild)
    return {
      outDir: 'dist/server',
      copyPublicDir: false,
      minify: true,
      rolldownOptions: { output: { codeSplitting: false } },
    };
  return {
    outDir: 'dist/client',
    manifest: true,
    // One style sheet, which the server puts into every page.
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: { input: 'src/client/entry-client.tsx' },
  };
}
