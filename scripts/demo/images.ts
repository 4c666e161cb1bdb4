import sharp from 'sharp';
import { azulejo } from '../../src/server/pages/azulejo.ts';
import { readDemoChannels } from './content.ts';
import { face } from './face.ts';
import { demoPeople } from './people.ts';

export interface DemoImage {
  fileName: string;
  contentType: string;
  bytes: Buffer;
}

/** Images of the demo: covers by channel, faces by person. */
export interface DemoImages {
  covers: Map<string, DemoImage>;
  faces: Map<string, DemoImage>;
}

/** Draws all of them. Before a server opens in this process: it closes the way to reading SVG. */
export async function drawDemoImages(): Promise<DemoImages> {
  const [covers, faces] = await Promise.all([
    Promise.all(
      readDemoChannels().map(
        async ({ slug, coverSeed }) => [slug, await drawCover(slug, coverSeed)] as const,
      ),
    ),
    Promise.all(
      demoPeople.flatMap(({ key, faceSeed }) =>
        faceSeed ? [drawFace(key, faceSeed).then((face) => [key, face] as const)] : [],
      ),
    ),
  ]);
  return { covers: new Map(covers), faces: new Map(faces) };
}

/** A cover, sharp on fine screens too. */
export async function drawCover(name: string, seed: string): Promise<DemoImage> {
  const svg = Buffer.from(azulejo(seed));
  const bytes = await sharp(svg, { density: 144 }).png({ palette: true, colours: 64 }).toBuffer();
  return { fileName: `${name}.png`, contentType: 'image/png', bytes };
}

async function drawFace(name: string, seed: string): Promise<DemoImage> {
  const svg = Buffer.from(face(seed));
  const bytes = await sharp(svg).jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer();
  return { fileName: `${name}.jpg`, contentType: 'image/jpeg', bytes };
}
