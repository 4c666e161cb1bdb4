import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { CachedResponse } from './cached-response.ts';

const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

test('responses around the sizes of the compression windows decode to the same bytes, and are compressed once', () => {
  for (const length of [0, 1000, 65_519, 65_520, 65_521, 131_073, 5_000_000]) {
    const response = new CachedResponse(Buffer.alloc(length, 'ñandú '), {});
    for (const encoding of ['zstd', 'br', 'gzip'] as const) {
      const bytes = response.compressed(encoding);
      assert.ok(decoders[encoding](bytes).equals(response.bytes), `${encoding} ${length}`);
      assert.equal(response.compressed(encoding), bytes);
    }
  }
});
