import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import {
  animations,
  type Corner,
  corners,
  costlyHeaders,
  hugePng,
  longGif,
  onePixel,
  pngWithTexts,
  quarters,
  withJpegComment,
  withLargerImage,
  withSmallerHeader,
  withWrongChecksum,
} from '../../../test/attacks/hostile-images.ts';
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

describe('making images', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tertulia-images-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const make = async (bytes: Uint8Array, use: ImageUse = 'cover') => {
    const file = path.join(folder, 'upload');
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

  test('an image of a comment gets variants of its own shape, none cropped', async () => {
    const wide = await make(await quarters(2600, 1500).png().toBuffer(), 'comment');
    assert.deepEqual(await sizes(wide.variants), [
      '500.webp: webp 500x289',
      '1000.webp: webp 1000x577',
      '2000.webp: webp 2000x1154',
    ]);
    for (const variant of wide.variants.values()) {
      const { width, height } = await sharp(variant).metadata();
      assert.equal(await cornerAt(variant, 3, 3), 'topLeft');
      assert.equal(await cornerAt(variant, width - 4, height - 4), 'bottomRight');
    }
    const tall = await make(await quarters(37, 1999).png().toBuffer(), 'comment');
    assert.deepEqual(await sizes(tall.variants), ['500.webp: webp 37x1999']);
    const thin = await make(await quarters(2000, 2).png().toBuffer(), 'comment');
    assert.deepEqual(await sizes(thin.variants), [
      '500.webp: webp 500x1',
      '1000.webp: webp 1000x1',
      '2000.webp: webp 2000x2',
    ]);
  });

  test('a long screenshot and a wide strip stay readable, also turned by the orientation tag', async () => {
    const drawn = await make(await quarters(1080, 12_000).png().toBuffer(), 'comment');
    assert.deepEqual([drawn.full.width, drawn.full.height], [720, 8000]);
    // Larger variants would take too much memory as WebP.
    assert.deepEqual(await sizes(drawn.variants), [
      '500.webp: webp 500x5552',
      '1000.webp: webp 520x5774',
    ]);
    const turned = quarters(12_000, 1080).jpeg().withMetadata({ orientation: 6 });
    const { full } = await make(await turned.toBuffer(), 'comment');
    assert.deepEqual([full.width, full.height], [720, 8000]);
    const wide = await make(await quarters(12_000, 1000).webp({ effort: 0 }).toBuffer(), 'comment');
    assert.deepEqual(
      [wide.contentType, wide.full.width, wide.full.height],
      ['image/jpeg', 8640, 720],
    );
    assert.deepEqual((await sizes(wide.variants)).at(-1), '2000.webp: webp 2000x167');
  });

  test('a long screenshot of another format becomes PNG or JPEG, to stay readable', async () => {
    const long = quarters(1080, 12_000);
    const stored = async (image: Sharp) => {
      const { full, contentType, extensions } = await make(await image.toBuffer(), 'comment');
      assert.equal(`image/${(await sharp(full.bytes).metadata()).format}`, contentType);
      return `${extensions[0]} ${full.width}x${full.height}`;
    };
    assert.equal(await stored(long.clone().webp({ effort: 0 })), 'jpg 720x8000');
    assert.equal(await stored(long.clone().gif({ effort: 1 })), 'png 720x8000');
    // A taller AVIF takes too much memory to decode.
    assert.equal(await stored(quarters(720, 7000).avif({ effort: 0 })), 'jpg 720x7000');
    assert.equal(await stored(long.clone().ensureAlpha(0.5).webp({ effort: 0 })), 'webp 520x5774');
    assert.equal(await stored(quarters(1080, 2400).webp()), 'webp 1080x2400');
  });

  test('an image is never higher than WebP allows', async () => {
    const { full, variants } = await make(await onePixel(720, 30_000).png().toBuffer(), 'comment');
    assert.deepEqual([full.width, full.height], [393, 16_383]);
    assert.deepEqual(await sizes(variants), ['500.webp: webp 268x11183']);
  });

  test('a cover gets variants of half, full and double size and a share card', async () => {
    const image = await make(await quarters(2600, 1500).png().toBuffer());
    assert.deepEqual(await sizes(image.variants), [
      '500.webp: webp 500x200',
      '1000.webp: webp 1000x400',
      '2000.webp: webp 2000x800',
      'card.jpg: jpeg 1200x630',
    ]);
    assert.deepEqual([image.full.width, image.full.height], [2280, 1316]);
    assert.equal(image.contentType, 'image/png');
  });

  test('a share card is a part of the whole image, and has at most 300 kB', async () => {
    const high = await make(await quarters(1500, 1000).png().toBuffer());
    const card = high.variants.get('card.jpg') ?? Buffer.alloc(0);
    assert.equal(await cornerAt(card, 3, 3), 'topLeft');
    assert.equal(await cornerAt(card, 1196, 626), 'bottomRight');
    // The first card fits at a lower quality, the second only at the lowest.
    for (const [sigma, least] of [
      [60, 200_000],
      [4000, 100_000],
    ] as const) {
      const noise = { type: 'gaussian', mean: 128, sigma } as const;
      const noisy = sharp({
        create: { width: 1210, height: 640, channels: 3, noise, background: '#000' },
      });
      const costly = await make(await noisy.png().toBuffer());
      const bytes = costly.variants.get('card.jpg')?.length ?? Infinity;
      assert.ok(bytes <= 300_000 && bytes > least, `${bytes} bytes`);
    }
  });

  test('a share card of a wide image shows the cover whole', async () => {
    const wide = await make(await quarters(2000, 800).png().toBuffer());
    const card = wide.variants.get('card.jpg') ?? Buffer.alloc(0);
    // The cover has the card's width and is centred vertically.
    assert.equal(await cornerAt(card, 3, 80), 'topLeft');
    assert.equal(await cornerAt(card, 1196, 550), 'bottomRight');
  });

  test('an avatar gets square variants in the sizes that pages show', async () => {
    const image = await make(await quarters(800, 500).jpeg().toBuffer(), 'avatar');
    assert.deepEqual(await sizes(image.variants), [
      '90.webp: webp 90x90',
      '360.webp: webp 360x360',
    ]);
  });

  test('variants of a drawing are lossless where that is smaller; those of a photo are lossy', async () => {
    const drawn = await make(await quarters(1000, 400).png().toBuffer());
    const variant = drawn.variants.get('1000.webp') ?? Buffer.alloc(0);
    // VP8L is lossless WebP, VP8 lossy.
    assert.equal(variant.toString('latin1', 12, 16), 'VP8L');
    const photo = await make(await quarters(1000, 400).jpeg().toBuffer());
    assert.equal(photo.variants.get('1000.webp')?.toString('latin1', 12, 16), 'VP8 ');
  });

  test('variants are never larger than their source', async () => {
    const image = await make(await quarters(600, 300).png().toBuffer());
    assert.deepEqual(await sizes(image.variants), [
      '500.webp: webp 500x200',
      '1000.webp: webp 600x240',
      'card.jpg: jpeg 1200x630',
    ]);
    assert.equal(image.largestVariant, 1000);
    const dot = await make(await quarters(2, 2).png().toBuffer(), 'avatar');
    assert.deepEqual(await sizes(dot.variants), ['90.webp: webp 2x2']);
    const line = await make(await quarters(300, 1).png().toBuffer());
    assert.equal((await sizes(line.variants))[0], '500.webp: webp 2x1');
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
      const shown = [
        await cornerAt(full.bytes, 5, 5),
        await cornerAt(full.bytes, full.width - 6, 5),
      ];
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
    const marked = quarters(700, 300)
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
    const polyglots = [
      withJpegComment(jpeg, script),
      Buffer.concat([jpeg, Buffer.from(script)]),
      Buffer.concat([gif, Buffer.from(`/*${script}*/`)]),
    ];
    for (const bytes of polyglots) {
      const { full, variants } = await make(bytes, 'avatar');
      for (const stored of [full.bytes, ...variants.values()]) {
        assert.ok(!stored.includes('script'));
      }
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

  test('rejects files that are not complete images of the five formats', async () => {
    const png = await quarters(200, 100).png({ compressionLevel: 0 }).toBuffer();
    const jpeg = await quarters(400, 300).jpeg().toBuffer();
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
    };
    for (const [what, bytes] of Object.entries(bad)) {
      await assert.rejects(make(bytes), NotAnImage, what);
    }
  });

  test('says what to do with an iPhone photo', async () => {
    const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1');
    await assert.rejects(make(heic), { detail: /^Las fotos HEIC no se admiten\. .*JPEG/ });
  });

  test('rejects images by their header when decoding would take too much memory', async () => {
    const bad = {
      '16000 x 16000': hugePng(16_000),
      ...(await costlyHeaders()),
      'AVIF with a larger image inside': withLargerImage(await quarters(16, 16).avif().toBuffer()),
    };
    for (const [what, bytes] of Object.entries(bad)) {
      await assert.rejects(make(bytes), ImageTooLarge, what);
    }
  });

  test('rejects an AVIF whose image is larger than its header says', async () => {
    const large = await quarters(3000, 2000).avif({ effort: 0 }).toBuffer();
    await assert.rejects(make(withSmallerHeader(large)), NotAnImage);
  });

  test('accepts photos of a 50-megapixel sensor, including progressive ones', async () => {
    const photo = onePixel(8192, 6144).withMetadata({ orientation: 6 });
    for (const progressive of [false, true]) {
      const { full } = await make(await photo.clone().jpeg({ progressive }).toBuffer(), 'avatar');
      assert.deepEqual([full.width, full.height], [1500, 2000]);
    }
  });

  test('compressed text chunks of a PNG are not unpacked into memory', async () => {
    const bytes = pngWithTexts(await quarters(20, 10).png().toBuffer(), 100);
    const before = process.memoryUsage.rss();
    await make(bytes, 'avatar');
    const grown = process.memoryUsage.rss() - before;
    assert.ok(grown < 200_000_000, `${grown} bytes`);
  });

  test('rejects a PNG with a wrong checksum', async () => {
    const png = await quarters(200, 100).png().toBuffer();
    assert.equal((await make(png)).full.width, 200);
    await assert.rejects(make(withWrongChecksum(png)), NotAnImage);
  });
});
