import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { eventually } from '../../../test/eventually.ts';
import { CachedResponse } from './cached-response.ts';

const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
/** Text that compresses well, with parts that occur once. */
const text = (lines: number) =>
  Array.from({ length: lines }, (_, line) => `Línea ${line}: ${randomBytes(8).toString('hex')}`);

for (const encoding of ['br', 'gzip'] as const) {
  test(`${encoding}: the first response is compressed quickly, and becomes smaller when it is asked for again`, async () => {
    const response = new CachedResponse(text(1000).join('\n'), {});
    assert.equal(response.compressed(encoding), undefined);
    const first = await response.compress(encoding);
    await eventually('it is smaller', async () => {
      const again = await response.compressed(encoding);
      return again !== undefined && again.bytes.length < first.bytes.length;
    });
    const small = await response.compress(encoding);
    for (const { bytes } of [first, small]) {
      assert.deepEqual(decoders[encoding](bytes), response.bytes);
    }
    assert.notEqual(first.etag, small.etag);
    assert.deepEqual(response.etags(encoding).toSorted(), [first.etag, small.etag].toSorted());
  });

  test(`${encoding}: responses of every size decode to the same bytes`, async () => {
    for (const length of [0, 1, 1000, 65_519, 65_520, 65_521, 131_072, 131_073, 5_000_000]) {
      const response = new CachedResponse(Buffer.alloc(length, 'ñandú '), {});
      const { bytes } = await response.compress(encoding);
      assert.ok(decoders[encoding](bytes).equals(response.bytes), String(length));
    }
  });
}
