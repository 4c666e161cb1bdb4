import { build, type Plugin } from 'vite';
import {
  packedCommonJs,
  packedDir,
  packedName,
  packedPackages,
} from '../src/server/packed-packages.ts';

/** Gives a CommonJS package the names of an ES module, which nobody could tell from its file. */
const prefix = 'commonjs:';
const named: Plugin = {
  name: 'named-commonjs',
  resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
  load: (id) => {
    const name = id.split(`\0${prefix}`)[1];
    if (!name) return undefined;
    return `export { ${packedCommonJs[name]?.join(', ')} } from '${name}';`;
  },
};

// One build, so that the entries share what they have in common.
const input = Object.fromEntries([
  ...packedPackages.map((name) => [packedName(name), name]),
  ...Object.keys(packedCommonJs).map((name) => [packedName(name), `${prefix}${name}`]),
]);

await build({
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  plugins: [named],
  // Fastify loads them for servers that it is never asked to make, and with them TLS: 7 MB.
  resolve: { alias: { 'node:http2': 'node:http', 'node:https': 'node:http' } },
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'esnext',
    minify: true,
    outDir: packedDir,
    rolldownOptions: { input },
  },
});
