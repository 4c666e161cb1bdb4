import { randomBytes } from 'node:crypto';
import sharp from 'sharp';

/** A file in the form that `setInputFiles` accepts. */
export interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** A small PNG of one colour. */
export async function plainImage(name = 'azul.png', background = '#2255aa'): Promise<ChosenFile> {
  const buffer = await sharp({ create: { width: 1000, height: 400, channels: 3, background } })
    .png()
    .toBuffer();
  return { name, mimeType: 'image/png', buffer };
}

/** A GIF of two frames. */
export async function animatedImage(): Promise<ChosenFile> {
  const [width, height, channels] = [40, 16, 3] as const;
  const raw = { width, height: height * 2, channels, pageHeight: height };
  const buffer = await sharp(randomBytes(width * height * channels * 2), { raw })
    .gif({ delay: [100, 100] })
    .toBuffer();
  return { name: 'baile.gif', mimeType: 'image/gif', buffer };
}

/** A PNG of pure noise, which does not compress: about 1.9 MB. */
export async function heavyImage(name = 'ruido.png'): Promise<ChosenFile> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const buffer = await sharp({
    create: { width: 1000, height: 700, channels: 3, noise, background: '#000' },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return { name, mimeType: 'image/png', buffer };
}

/** Has the name and type of an image, but not its content. */
export const invalidImage: ChosenFile = {
  name: 'falsa.png',
  mimeType: 'image/png',
  buffer: Buffer.from('Esto no es una imagen.'),
};

/** Random colours in patches of 8 x 8 pixels, so that the image differs from all earlier uploads. */
export function patches(width: number, height: number) {
  const small = {
    width: Math.ceil(width / 8),
    height: Math.ceil(height / 8),
    channels: 3,
  } as const;
  return sharp(randomBytes(small.width * small.height * 3), { raw: small }).resize(width, height);
}

/** A photo that differs from all earlier uploads. */
export async function photo(width = 1000, height = 400): Promise<ChosenFile> {
  const buffer = await patches(width, height).jpeg({ quality: 100 }).toBuffer();
  return { name: 'Fiesta del barrio.jpg', mimeType: 'image/jpeg', buffer };
}
