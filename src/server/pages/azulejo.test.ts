import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { face } from '../../../scripts/demo/face.ts';
import { azulejo } from './azulejo.ts';
import { palettes } from './azulejo-palettes.ts';

const drawings = [
  { name: 'azulejo', draw: azulejo, width: 1000, height: 400, maxBytes: 6000 },
  { name: 'face', draw: face, width: 360, height: 360, maxBytes: 1500 },
];
const seeds = Array.from({ length: 400 }, (_, index) => `0199a1b2-${index}`);
const hostileSeeds = [
  '',
  '"><script>alert(1)</script>',
  "'/><image href='https://ejemplo.es/x.png'/>",
  '<!ENTITY x SYSTEM "file:///etc/passwd">&x;',
  '../../etc/passwd\0',
  'url(javascript:alert(1))',
  '\ud800',
  '🦖'.repeat(50_000),
];

/** Names, numbers and colours, and nothing that could end an attribute, refer or run. */
const harmless =
  /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"( (width|height|viewBox)="[\d ]+")+>(<\/?(path|g|circle)( (fill|d|c[xy]|r|stroke(-width|-linejoin|-linecap)?)="[\w #.-]+")*\/?>)+<\/svg>$/;

for (const { name, draw, width, height, maxBytes } of drawings) {
  test(`${name}: the same seed gives the same image`, () => {
    for (const seed of [...seeds, ...hostileSeeds]) assert.equal(draw(seed), draw(seed));
  });

  test(`${name}: different seeds mostly give different images`, () => {
    const images = new Set(seeds.map(draw));
    assert.ok(images.size > seeds.length * 0.75, `${images.size} of ${seeds.length} differ`);
  });

  test(`${name}: the markup is small, and made of nothing but shapes, whatever the seed`, () => {
    for (const seed of [...seeds, ...hostileSeeds]) {
      const svg = draw(seed);
      assert.match(svg, harmless);
      assert.ok(svg.length < maxBytes, `${seed.slice(0, 40)}: ${svg.length} bytes`);
    }
  });

  test(`${name}: it is well-formed and has its size and more than one colour`, async () => {
    for (const seed of [...seeds.slice(0, 40), ...hostileSeeds]) {
      const { data, info } = await sharp(Buffer.from(draw(seed)))
        .raw()
        .toBuffer({ resolveWithObject: true });
      assert.deepEqual([info.width, info.height], [width, height]);
      const pixels = new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
      assert.ok(new Set(pixels).size > 2, `${seed.slice(0, 40)} is blank`);
    }
  });
}

test('azulejo: every colour comes from one palette', () => {
  for (const seed of seeds) {
    const used = new Set(azulejo(seed).match(/#[0-9a-f]{6}/g));
    assert.ok(
      palettes.some((palette) => used.isSubsetOf(new Set(Object.values(palette)))),
      `${seed}: ${[...used].join(' ')}`,
    );
  }
});

test('azulejo: every palette is met', () => {
  const grounds = new Set(seeds.map((seed) => azulejo(seed).match(/#[0-9a-f]{6}/)?.[0]));
  assert.deepEqual(grounds, new Set(palettes.map(({ ground }) => ground)));
});
