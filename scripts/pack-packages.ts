import { build } from 'vite';
import { packedDir, packedName, packedPackages } from '../src/server/packed-packages.ts';

// One build, so that the entries of one package share its state.
const input = Object.fromEntries(packedPackages.map((name) => [packedName(name), name]));

await build({
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'esnext',
    minify: true,
    outDir: packedDir,
    rolldownOptions: { input },
  },
});
