import fc from 'fast-check';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { type Answer, type Call, sendCall } from './exchange.ts';
import { words } from './schema-values.ts';

interface Step {
  method: 'PATCH' | 'HEAD' | 'DELETE' | 'POST';
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
export const uploadMetadata = fc.oneof(
  { weight: 3, arbitrary: fc.constant('filename YS5wbmc=,use Y292ZXI=') },
  {
    weight: 4,
    arbitrary: fc.tuple(base64, base64).map(([name, use]) => `filename ${name},use ${use}`),
  },
  {
    weight: 3,
    arbitrary: fc
      .array(
        fc.constantFrom(
          'filename',
          'use',
          'filetype',
          ' ',
          ',',
          'Y292ZXI=',
          '=',
          '__proto__',
          'YQ',
          '%',
          '\t',
          '\xff',
        ),
        {
          maxLength: 10,
        },
      )
      .map((pieces) => pieces.join('').trim()),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(4000, 8000).map((count) => `filename ${'YWFh'.repeat(count / 4)}`),
  },
);
const amounts = fc.oneof(
  { weight: 4, arbitrary: fc.nat(3000).map(String) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '-1',
      '1e3',
      '0x10',
      '1.5',
      'NaN',
      '9999999999999999999',
      '10485760',
      '10485761',
      ' 1',
      '1,1',
    ),
  },
);
/** Headers of the protocol and its extensions, which add to or replace the correct ones. */
const oddHeaders = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.dictionary(
      fc.constantFrom(
        ...'tus-resumable upload-concat upload-defer-length upload-checksum'.split(' '),
        ...'content-type x-http-method-override upload-length upload-metadata'.split(' '),
        ...'upload-offset upload-expires'.split(' '),
      ),
      fc.oneof(
        amounts,
        fc.constantFrom(
          '1.0.0',
          '0.2.2',
          'partial',
          'final;/a /b',
          'sha1 YQ==',
          'crc32 ',
          '1',
          'PATCH',
          'DELETE',
        ),
      ),
      { maxKeys: 3 },
    ),
  },
);

/** Generates tus uploads, sometimes with wrong lengths, offsets and metadata. */
export const uploads: fc.Arbitrary<Upload> = fc.record({
  length: amounts,
  metadata: uploadMetadata,
  headers: oddHeaders,
  steps: fc.array(
    fc.record({
      method: fc.constantFrom('PATCH', 'PATCH', 'PATCH', 'HEAD', 'DELETE', 'POST'),
      offset: fc.oneof({ weight: 3, arbitrary: fc.constant('right') }, amounts),
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
