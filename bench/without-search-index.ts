// Loaded before the server (node --import). Replaces the search index with one that writes nothing, to measure writes
// without it.
import { registerHooks } from 'node:module';

const names = ['indexNewComment', 'indexComment', 'eraseIndexedComments'];
/** Other exports of the same file, which modules that read the index import. */
const tokens = ['authorToken', 'channelToken', 'channelsToken', 'commentTokens'];

registerHooks({
  load: (url, context, next) =>
    url.endsWith('/src/server/search-index/index-comment.ts')
      ? {
          format: 'module',
          shortCircuit: true,
          source: [...names, ...tokens]
            .map((name) => `export async function ${name}() {}\n`)
            .join(''),
        }
      : next(url, context),
});
