import { readdirSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { azulejo } from '../../src/server/pages/azulejo/azulejo.ts';
import { readDemoChannels } from './content.ts';
import { face } from './face.ts';
import { demoPeople } from './people.ts';

export interface DemoImage {
  fileName: string;
  contentType: string;
  bytes: Buffer;
}

/** Images of the demo: covers by channel, faces by person, pictures in comments by file name. */
export interface DemoImages {
  covers: Map<string, DemoImage>;
  faces: Map<string, DemoImage>;
  pictures: Map<string, DemoImage>;
}

const pictureDir = path.join(import.meta.dirname, 'pictures');

/** Draws all images of the demo. @param scale of all images */
export async function drawDemoImages(scale: number): Promise<DemoImages> {
  const covers = new Map<string, DemoImage>();
  const faces = new Map<string, DemoImage>();
  const pictures = new Map<string, DemoImage>();
  await Promise.all([
    ...readDemoChannels().map(async ({ slug, coverSeed }) =>
      covers.set(slug, await drawCover(slug, coverSeed, scale)),
    ),
    ...demoPeople.map(
      async ({ key, faceSeed }) => faceSeed && faces.set(key, await drawFace(key, faceSeed, scale)),
    ),
    ...readdirSync(pictureDir).map(async (file) => {
      const { name } = path.parse(file);
      pictures.set(name, await drawPicture(name, path.join(pictureDir, file), scale));
    }),
  ]);
  return { covers, faces, pictures };
}

/** A cover at one and a half times the size shown on pages. */
export async function drawCover(name: string, seed: string, scale = 1): Promise<DemoImage> {
  const svg = Buffer.from(azulejo(seed));
  const bytes = await sharp(svg, { density: 108 * scale })
    .png({ palette: true, colours: 64 })
    .toBuffer();
  return { fileName: `${name}.png`, contentType: 'image/png', bytes };
}

async function drawFace(name: string, seed: string, scale: number): Promise<DemoImage> {
  const svg = Buffer.from(face(seed));
  const bytes = await sharp(svg, { density: 72 * scale })
    .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
    .toBuffer();
  return { fileName: `${name}.jpg`, contentType: 'image/jpeg', bytes };
}

async function drawPicture(name: string, file: string, scale: number): Promise<DemoImage> {
  const bytes = await sharp(file, { density: 72 * scale })
    .png({ palette: true, colours: 64 })
    .toBuffer();
  return { fileName: `${name}.png`, contentType: 'image/png', bytes };
}
