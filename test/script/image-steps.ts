import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { StoredFile } from '../../src/shared/images.ts';
import { quarters } from '../attacks/hostile-images.ts';
import { uploadMetadata } from '../forum/forum.ts';
import type { Step } from './account-steps.ts';
import type { Community } from './community.ts';

/** File names, some of which are equal once normalized and lower-cased. */
const fileNames = [
  'foto.png',
  'FOTO.PNG',
  'caf\u00e9 ñ.png',
  'cafe\u0301 ñ.png',
  '🦖.png',
  '../a%.gif',
] as const;
const sides = [40, 40, 41] as const;

async function upload(community: Community): Promise<void> {
  const { transcript, images } = community;
  const side = community.pick(sides);
  const bytes = community.chance(0.2)
    ? Buffer.from('no es una imagen')
    : await quarters(side, side).png().toBuffer();
  const filename = community.pick(fileNames);
  const use = community.pick(['cover', 'avatar', 'comment', 'comment', 'otra']);
  const { json } = await transcript.call('POST', apiRoutes.uploads, {
    ...community.token(),
    body: bytes,
    headers: {
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-length': String(bytes.length),
      'upload-metadata': uploadMetadata({ filename, use, filetype: 'image/png' }),
    },
  });
  const { downloadURL } = json as Partial<StoredFile>;
  if (downloadURL) images.push(downloadURL);
}

async function readImage(community: Community): Promise<void> {
  const { transcript, images } = community;
  const image = community.pick(['/files/images/nada.png', ...images]);
  await transcript.call('GET', `/api${image}`);
  await transcript.call(community.pick(['GET', 'HEAD']), image);
  await transcript.call('GET', `${image}/${community.pick(['90.webp', '500.webp', 'x.webp'])}`);
  await transcript.call('GET', image, { headers: { range: 'bytes=1-9' } });
}

export const imageSteps: Step[] = [
  { name: 'upload', times: 10, take: upload },
  { name: 'read an image', times: 6, take: readImage },
];
