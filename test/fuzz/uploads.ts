import fc from 'fast-check';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { type Answer, type Call, sendCall } from './exchange.ts';
import { words } from './schema-values.ts';
import { weighted, wordOf } from './weighted.ts';

interface Step {
  method: string;
  offset: string;
  bytes: number;
  headers: Record<string, string>;
}

/** The creation of an upload and the steps after it. */
export interface Upload {
  length: string;
  metadata: string;
  headers: Record<string, string>;
  steps: Step[];
}

const base64 = words.map((text) => Buffer.from(text).toString('base64'));
const metadataPieces = [
  ...'filename use filetype , Y292ZXI= = __proto__ YQ %'.split(' '),
  ...[' ', '\t', '\xff'],
];
export const uploadMetadata = weighted(
  [3, fc.constant('filename YS5wbmc=,use Y292ZXI=')],
  [4, fc.tuple(base64, base64).map(([name, use]) => `filename ${name},use ${use}`)],
  [
    3,
    fc
      .array(fc.constantFrom(...metadataPieces), { maxLength: 10 })
      .map((pieces) => pieces.join('').trim()),
  ],
  [1, fc.constantFrom(1000, 2000).map((count) => `filename ${'YWFh'.repeat(count)}`)],
);
const amounts = weighted(
  [4, fc.nat(3000).map(String)],
  [1, fc.constantFrom('', ' 1')],
  [2, wordOf('-1 1e3 0x10 1.5 NaN 9999999999999999999 10485760 10485761 1,1')],
);
/** Headers of the protocol and its extensions, which add to or replace the correct ones. */
const oddHeaders = weighted<Record<string, string>>(
  [5, fc.constant({})],
  [
    2,
    fc.dictionary(
      wordOf(
        'tus-resumable upload-concat upload-defer-length upload-checksum content-type x-http-method-override upload-length upload-metadata upload-offset upload-expires',
      ),
      weighted(
        [1, amounts],
        [1, fc.constantFrom('final;/a /b', 'sha1 YQ==', 'crc32 ')],
        [1, wordOf('1.0.0 0.2.2 partial 1 PATCH DELETE')],
      ),
      { maxKeys: 3 },
    ),
  ],
);

/** Generates tus uploads, sometimes with wrong lengths, offsets and metadata. */
export const uploads: fc.Arbitrary<Upload> = fc.record({
  length: amounts,
  metadata: uploadMetadata,
  headers: oddHeaders,
  steps: fc.array(
    fc.record({
      method: wordOf('PATCH PATCH PATCH HEAD DELETE POST'),
      offset: weighted([3, fc.constant('right')], [1, amounts]),
      bytes: fc.nat(2000),
      headers: oddHeaders,
    }),
    { maxLength: 5 },
  ),
});

const octets = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };

/** Runs the steps, each at the offset of the previous response. */
export async function* playUpload(
  url: string,
  token: string,
  { length, metadata, headers, steps }: Upload,
): AsyncGenerator<Answer> {
  const call = async (sent: Omit<Call, 'headers'>, more: Record<string, string>) => {
    const authorization = `Bearer ${token}`;
    return sendCall(url, { ...sent, headers: { authorization, ...octets, ...more } });
  };
  const begun = await call(
    { method: 'POST', path: apiRoutes.uploads },
    { 'upload-length': length, 'upload-metadata': metadata, ...headers },
  );
  if (!begun) return;
  yield begun;
  const path = begun.headers.location;
  if (path === undefined) return;
  let right = '0';
  for (const { method, offset, bytes, headers } of steps) {
    const answer = await call(
      { method, path, ...(method === 'PATCH' ? { body: Buffer.alloc(bytes, 'a') } : {}) },
      { 'upload-offset': offset === 'right' ? right : offset, ...headers },
    );
    if (!answer) continue;
    yield answer;
    right = String(answer.headers['upload-offset'] ?? right);
  }
}

export function wholeUpload(token: string, bytes: Buffer, metadata: string): Call {
  const headers = {
    ...octets,
    authorization: `Bearer ${token}`,
    'upload-length': String(bytes.length),
    'upload-metadata': metadata,
  };
  return { method: 'POST', path: apiRoutes.uploads, headers, body: bytes };
}
