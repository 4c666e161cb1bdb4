// What `npm start` runs: `main.ts`, sooner and in less memory. Plain JavaScript, because stripping
// the types of even one file loads Node's parser, 17 MB; what the compile cache holds needs none.
import { enableCompileCache } from 'node:module';
import path from 'node:path';

// In a folder of the installation: shared temporary ones are where others could leave code. When it
// cannot be written, the start only takes longer.
enableCompileCache(path.resolve(import.meta.dirname, '../../node_modules/.cache/tertulia'));
// Imported one after the other, since each serves only what is loaded after it.
const { importPackedPackages } = await import('./packed-packages.ts');
importPackedPackages();
await import('./operations/main.ts');
