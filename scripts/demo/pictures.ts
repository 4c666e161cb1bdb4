import sharp from 'sharp';
import { azulejo, face } from '../../src/server/pages/azulejo.ts';

export interface DemoPicture {
  fileName: string;
  contentType: string;
  bytes: Buffer;
}

/** A cover, sharp on fine screens too. */
export async function drawCover(name: string, seed: string): Promise<DemoPicture> {
  const svg = Buffer.from(azulejo(seed));
  const bytes = await sharp(svg, { density: 144 }).png({ palette: true, colours: 64 }).toBuffer();
  return { fileName: `${name}.png`, contentType: 'image/png', bytes };
}

export async function drawFace(name: string, seed: string): Promise<DemoPicture> {
  const svg = Buffer.from(face(seed));
  const bytes = await sharp(svg).jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer();
  return { fileName: `${name}.jpg`, contentType: 'image/jpeg', bytes };
}
