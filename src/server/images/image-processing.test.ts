import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import {
  animations,
  type Corner,
  corners,
  hugePng,
  longGif,
  onePixel,
  quarters,
  withJpegComment,
  withSmallerHeader,
  withWrongChecksum,
} from '../../../test/attacks/hostile-images.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../test/temporary-folder.ts';
import type { ImageUse } from '../../shared/images.ts';
import { ImageTooLarge, NotAnImage } from './errors.ts';
import { makeImage } from './image-processing.ts';

/** Finds the corner of the source image whose colour is closest to the pixel's colour. */
async function cornerAt(image: Buffer, x: number, y: number): Promise<Corner | undefined> {
  const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * info.channels;
  const near = (channel: number, value: number) => Math.abs((data[at + channel] ?? 0) - value) < 40;
  return (Object.keys(corners) as Corner[]).find((name) =>
    corners[name].every((value, channel) => near(channel, value)),
  );
}

let folder: TemporaryFolder;
before(async () => {
  folder = await temporaryFolder('images');
});
after(() => folder?.[Symbol.asyncDispose]());

const make = async (bytes: Uint8Array, use: ImageUse = 'cover') => {
  const file = path.join(folder.path, 'upload');
  await writeFile(file, bytes);
  return makeImage(file, use);
};
const sizes = async (variants: Map<string, Buffer>) =>
  Promise.all(
    [...variants].map(async ([variant, bytes]) => {
      const { width, height, format } = await sharp(bytes).metadata();
      return `${variant}: ${format} ${width}x${height}`;
    }),
  );
/** Extension and size of the stored full size, without the variants of a comment, which take longer. */
const stored = async (image: Sharp) => {
  const { full, contentType, extensions } = await make(await image.toBuffer(), 'avatar');
  assert.equal(`image/${(await sharp(full.bytes).metadata()).format}`, contentType);
  return `${extensions[0]} ${full.width}x${full.height}`;
};

test('an image of a comment gets variants of its own shape, none cropped, and a share card that shows a small, wide or high one whole', async () => {
  const wide = await make(await quarters(2100, 700).png().toBuffer(), 'comment');
  assert.deepEqual(await sizes(wide.variants), [
    '500.webp: webp 500x167',
    '1000.webp: webp 1000x333',
    '2000.webp: webp 2000x667',
    'card.jpg: jpeg 1200x630',
  ]);
  const isCard = (variant: Buffer) => variant === wide.variants.get('card.jpg');
  for (const variant of wide.variants.values().filter((one) => !isCard(one))) {
    const { width, height } = await sharp(variant).metadata();
    assert.equal(await cornerAt(variant, 3, 3), 'topLeft');
    assert.equal(await cornerAt(variant, width - 4, height - 4), 'bottomRight');
  }
  const card = 'card.jpg: jpeg 1200x630';
  const tall = await make(await quarters(37, 1999).png().toBuffer(), 'comment');
  assert.deepEqual(await sizes(tall.variants), ['500.webp: webp 37x1999', card]);
  const thin = await make(await quarters(600, 1).png().toBuffer(), 'comment');
  assert.deepEqual(await sizes(thin.variants), [
    '500.webp: webp 500x1',
    '1000.webp: webp 600x1',
    card,
  ]);
  for (const [width, height, left, top] of [
    [450, 250, 375, 190],
    [200, 1000, 537, 0],
    [1280, 160, 0, 240],
  ] as const) {
    const { variants } = await make(await quarters(width, height).png().toBuffer(), 'comment');
    const shown = variants.get('card.jpg') ?? Buffer.alloc(0);
    assert.equal(await cornerAt(shown, left + 4, top + 4), 'topLeft');
    assert.equal(await cornerAt(shown, 1195 - left, 625 - top), 'bottomRight');
  }
});

test('a long screenshot becomes PNG or JPEG, to stay readable, unless its alpha channel takes too much memory', async () => {
  const long = quarters(800, 6000);
  assert.equal(await stored(long.clone().png()), 'png 720x5400');
  assert.equal(await stored(long.clone().gif({ effort: 1 })), 'png 720x5400');
  assert.equal(await stored(long.clone().webp({ effort: 0 })), 'jpg 720x5400');
  assert.equal(await stored(long.clone().ensureAlpha(0.5).webp({ effort: 0 })), 'webp 632x4743');
  assert.equal(await stored(quarters(1080, 2400).webp({ effort: 0 })), 'webp 1080x2400');
  const turned = quarters(6000, 800).jpeg().withMetadata({ orientation: 6 });
  assert.equal(await stored(turned), 'jpg 720x5400');
  // A wide strip is as hard to read, and no image is higher than WebP allows.
  assert.equal(await stored(quarters(6000, 800).webp({ effort: 0 })), 'jpg 5400x720');
  const highest = await make(await onePixel(400, 30_000).png().toBuffer(), 'comment');
  assert.deepEqual([highest.full.width, highest.full.height], [218, 16_383]);
  // Larger variants would take too much memory as WebP.
  assert.deepEqual(await sizes(highest.variants), [
    '500.webp: webp 200x15015',
    'card.jpg: jpeg 1200x630',
  ]);
});

test('a cover gets variants of half, full and double size and a share card, none larger than its source', async () => {
  const image = await make(await quarters(2600, 1500).png().toBuffer());
  assert.deepEqual(await sizes(image.variants), [
    '500.webp: webp 500x200',
    '1000.webp: webp 1000x400',
    '2000.webp: webp 2000x800',
    'card.jpg: jpeg 1200x630',
  ]);
  assert.deepEqual([image.full.width, image.full.height], [2280, 1316]);
  assert.equal(image.contentType, 'image/png');
  const small = await make(await quarters(600, 300).png().toBuffer());
  assert.deepEqual(await sizes(small.variants), [
    '500.webp: webp 500x200',
    '1000.webp: webp 600x240',
    'card.jpg: jpeg 1200x630',
  ]);
  assert.equal(small.largestVariant, 1000);
  const strip = await make(await quarters(300, 1).png().toBuffer());
  assert.equal((await sizes(strip.variants))[0], '500.webp: webp 2x1');
});

test('an avatar gets square variants in the sizes that pages show, none larger than its source', async () => {
  const image = await make(await quarters(800, 500).jpeg().toBuffer(), 'avatar');
  assert.deepEqual(await sizes(image.variants), ['90.webp: webp 90x90', '360.webp: webp 360x360']);
  const dot = await make(await quarters(2, 2).png().toBuffer(), 'avatar');
  assert.deepEqual(await sizes(dot.variants), ['90.webp: webp 2x2']);
});

test('a share card is a part of the whole image, or shows the cover of a wide one whole, and has at most 300 kB', async () => {
  for (const [width, height, top, bottom] of [
    [1500, 1000, 3, 626],
    // The cover has the card's width and is centred vertically.
    [2000, 800, 80, 550],
  ] as const) {
    const { variants } = await make(await quarters(width, height).jpeg().toBuffer());
    const card = variants.get('card.jpg') ?? Buffer.alloc(0);
    assert.equal(await cornerAt(card, 3, top), 'topLeft');
    assert.equal(await cornerAt(card, 1196, bottom), 'bottomRight');
  }
  // The first card fits at a lower quality, the second only at the lowest.
  for (const [sigma, least] of [
    [60, 200_000],
    [4000, 100_000],
  ] as const) {
    const noise = { type: 'gaussian', mean: 128, sigma } as const;
    const noisy = sharp({
      create: { width: 1210, height: 640, channels: 3, noise, background: '#000' },
    });
    const costly = await make(await noisy.jpeg({ quality: 100 }).toBuffer());
    const bytes = costly.variants.get('card.jpg')?.length ?? Infinity;
    assert.ok(bytes <= 300_000 && bytes > least, `${bytes} bytes`);
  }
});

test('variants of a drawing are lossless where that is smaller; those of a photo are lossy', async () => {
  // VP8L is lossless WebP, VP8 lossy.
  for (const [source, kind] of [
    [quarters(1000, 400).png(), 'VP8L'],
    [quarters(1000, 400).jpeg(), 'VP8 '],
  ] as const) {
    const { variants } = await make(await source.toBuffer());
    assert.equal(variants.get('1000.webp')?.toString('latin1', 12, 16), kind);
  }
});

test('images of all eight EXIF orientations are rotated upright and lose the orientation tag', async () => {
  const topCorners: [Corner, Corner][] = [
    ['topLeft', 'topRight'],
    ['topRight', 'topLeft'],
    ['bottomRight', 'bottomLeft'],
    ['bottomLeft', 'bottomRight'],
    ['topLeft', 'bottomLeft'],
    ['bottomLeft', 'topLeft'],
    ['bottomRight', 'topRight'],
    ['topRight', 'bottomRight'],
  ];
  for (const [index, expected] of topCorners.entries()) {
    const orientation = index + 1;
    const bytes = await quarters(80, 40).jpeg().withMetadata({ orientation }).toBuffer();
    const { full } = await make(bytes, 'avatar');
    const shown = [await cornerAt(full.bytes, 5, 5), await cornerAt(full.bytes, full.width - 6, 5)];
    assert.deepEqual(shown, expected, `orientation ${orientation}`);
    assert.equal(full.width, orientation > 4 ? 40 : 80);
    assert.equal((await sharp(full.bytes).metadata()).orientation, undefined);
  }
});

test('the colours of a CMYK JPEG without a profile are those of the usual one', async () => {
  const green = { r: 0, g: 160, b: 0 };
  const source = sharp({ create: { width: 40, height: 20, channels: 3, background: green } });
  const bytes = await source.toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer();
  const { space, hasProfile } = await sharp(bytes).metadata();
  assert.deepEqual([space, hasProfile], ['cmyk', false]);
  const { full } = await make(bytes, 'avatar');
  const { channels } = await sharp(full.bytes).stats();
  // Print colours contain no green as pure as this one.
  const means = channels.map(({ mean }) => Math.round(mean / 10) * 10);
  assert.deepEqual(means, [30, 160, 30]);
});

test('EXIF, XMP, IPTC, colour profiles and comments are removed', async () => {
  const secret = 'calle-secreta-42';
  const marked = quarters(140, 60)
    .withExif({
      IFD0: { ImageDescription: secret, Artist: secret },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '40/1 25/1 0/1' },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>${secret}</a></x:xmpmeta>`)
    .withIccProfile('p3');
  const sources = [
    withJpegComment(await marked.clone().jpeg().toBuffer(), secret),
    await marked.clone().png().toBuffer(),
    await marked.clone().webp().toBuffer(),
    await marked.clone().avif().toBuffer(),
  ];
  for (const [index, source] of sources.entries()) {
    assert.ok(source.includes(secret), 'the source contains the secret');
    // Only covers have a JPEG variant.
    const { full, variants } = await make(source, index === 0 ? 'cover' : 'avatar');
    for (const bytes of [full.bytes, ...variants.values()]) {
      assert.ok(!bytes.includes(secret));
      const { exif, xmp, icc, iptc } = await sharp(bytes).metadata();
      assert.deepEqual([exif, xmp, icc, iptc], Array(4).fill(undefined));
    }
  }
});

test('scripts hidden in comments or after the image data are removed', async () => {
  const script = '<script>alert(document.domain)</script>';
  const jpeg = await quarters(60, 30).jpeg().toBuffer();
  const gif = await quarters(60, 30).gif().toBuffer();
  for (const bytes of [
    withJpegComment(jpeg, script),
    Buffer.concat([jpeg, Buffer.from(script)]),
    Buffer.concat([gif, Buffer.from(`/*${script}*/`)]),
  ]) {
    const { full, variants } = await make(bytes, 'avatar');
    for (const bytes of [full.bytes, ...variants.values()]) assert.ok(!bytes.includes('script'));
  }
});

test('only the first frame of an animation is stored', async () => {
  for (const [format, bytes] of Object.entries(await animations())) {
    const { full, extensions } = await make(bytes, 'avatar');
    assert.ok(extensions.includes(format));
    assert.equal((await sharp(full.bytes, { pages: -1 }).metadata()).pages ?? 1, 1, format);
    assert.equal(await cornerAt(full.bytes, 4, 4), 'topLeft', format);
  }
  const { full } = await make(longGif(10_000), 'avatar');
  assert.equal((await sharp(full.bytes, { pages: -1 }).metadata()).pages ?? 1, 1);
});

test('rejects files that are not complete and intact images of the five formats', async () => {
  const png = await quarters(200, 100).png({ compressionLevel: 0 }).toBuffer();
  const jpeg = await quarters(400, 300).jpeg().toBuffer();
  const large = await quarters(300, 200).avif({ effort: 0 }).toBuffer();
  const bad: Record<string, Uint8Array> = {
    empty: Buffer.alloc(0),
    text: Buffer.from('hola'),
    html: Buffer.from('<!doctype html><script>alert(1)</script>'),
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    pdf: Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj'),
    tiff: await quarters(20, 10).tiff().toBuffer(),
    'cut JPEG': jpeg.subarray(0, jpeg.length / 2),
    'cut PNG': png.subarray(0, png.length / 2),
    'PNG head only': png.subarray(0, 40),
    'PNG with a wrong checksum': withWrongChecksum(png),
    'AVIF with an image larger than its header says': withSmallerHeader(large),
  };
  for (const [what, bytes] of Object.entries(bad)) {
    await assert.rejects(make(bytes), NotAnImage, what);
  }
  // An iPhone's photo is refused with what to do.
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1');
  await assert.rejects(make(heic), { detail: /^Las fotos HEIC no se admiten\. .*JPEG/ });
});

test('rejects an image of too many pixels by its header', async () => {
  await assert.rejects(make(hugePng(16_000)), ImageTooLarge);
});

test('accepts progressive photos of a 50-megapixel sensor', async () => {
  const photo = onePixel(8192, 6144).withMetadata({ orientation: 6 });
  assert.equal(await stored(photo.jpeg({ progressive: true })), 'jpg 1500x2000');
});
