import { build, type Plugin } from 'vite';
import { packedDir, packedName, packedPackages } from '../src/server/packed-packages.ts';

/** Entries that hand on only what is imported: so the rest is left out, and CommonJS gets names. */
const prefix = 'packed:';
const entries: Plugin = {
  name: 'entries',
  resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
  load: (id) => {
    const name = id.split(`\0${prefix}`)[1];
    if (!name) return undefined;
    return `export { ${packedPackages[name]?.join(', ')} } from '${name}';`;
  },
};

// One build, so that the packages share what they have in common.
const input = Object.fromEntries(
  Object.keys(packedPackages).map((name) => [packedName(name), prefix + name]),
);

await build({
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  plugins: [entries],
  resolve: {
    alias: {
      // Fastify loads them for servers that it is never asked to make, and with them TLS: 7 MB.
      'node:http2': 'node:http',
      'node:https': 'node:http',
      // Never called, since `static-files.ts` knows the files itself: 1.5 MB.
      glob: 'node:fs',
    },
  },
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'esnext',
    minify: true,
    outDir: packedDir,
    // A single letter beyond Latin-1 makes V8 keep the whole text in two bytes each.
    rolldownOptions: { input, output: { charset: 'ascii' } },
  },
});
