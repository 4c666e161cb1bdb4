import { palettes } from '../../src/server/pages/azulejo/palettes.ts';
import { type SeededRandom, seededRandom } from '../../src/server/pages/azulejo/seeded-random.ts';

const black = '#241a16';
const brown = '#4a2f22';
const grey = '#8c8077';
const white = '#c3b8ab';

interface Complexion {
  skin: string;
  hairs: readonly [string, ...string[]];
}

/** Skin colours, each with hair colours that contrast with it. */
const complexions: readonly [Complexion, ...Complexion[]] = [
  { skin: '#edc09a', hairs: [black, brown, '#6b4226', '#a0622f', '#8c3718', grey] },
  { skin: '#e2ab80', hairs: [black, brown, '#6b4226', '#8c3718', grey, white] },
  { skin: '#cf9468', hairs: [black, brown, '#5a3320', grey, white] },
  { skin: '#b0754c', hairs: [black, black, '#3a231a', white] },
  { skin: '#8a5636', hairs: [black, black, white] },
  { skin: '#6b402a', hairs: [black, black, white] },
];

/** SVG paths of the hair behind the head and in front of it. */
interface HairCut {
  behind: string;
  front: string;
}

const fringe = 'M114 156C110 96 142 70 182 70s70 30 64 86c-8-30-24-42-66-42s-58 12-66 42z';
const sideParting =
  'M113 158c-6-62 26-90 70-90 42 0 70 30 63 90-6-22-14-36-34-46-26 14-70 8-84 6-8 10-13 24-15 40z';
const middleParting = 'M113 166c-8-66 24-98 67-98s75 32 67 98c-8-36-30-44-67-64-37 20-59 28-67 64z';

const hairCuts: readonly [HairCut, ...HairCut[]] = [
  { behind: '', front: fringe },
  { behind: '', front: sideParting },
  // Chin-length hair.
  {
    behind:
      'M180 66c-54 0-82 36-82 88v66c0 16 22 22 40 18h84c18 4 40-2 40-18v-66c0-52-28-88-82-88z',
    front: fringe,
  },
  // Hair over the shoulders.
  {
    behind:
      'M180 64c-58 0-84 38-84 94 0 44 4 74-18 122 60 26 144 26 204 0-22-48-18-78-18-122 0-56-26-94-84-94z',
    front: middleParting,
  },
  // Hair in a bun.
  { behind: 'M144 50a36 34 0 1 1 72 0a36 34 0 1 1-72 0z', front: middleParting },
  // Curly hair.
  {
    behind:
      'M104 150a34 34 0 0 1 6-56 38 38 0 0 1 48-34 40 40 0 0 1 56 4 38 38 0 0 1 40 40 34 34 0 0 1 2 50 30 30 0 0 1-14 44H118a30 30 0 0 1-14-48z',
    front:
      'M112 150c-4-50 26-76 68-76s74 26 66 76c-16-4-24-18-26-32-10 8-26 6-32-2-8 8-24 8-32-2-8 12-26 8-32 34-4 2-8 2-12 2z',
  },
  // Round, wide hair.
  {
    behind:
      'M180 30c-64 0-104 46-104 104 0 50 36 84 60 92h88c24-8 60-42 60-92 0-58-40-104-104-104z',
    front: 'M114 152c-4-52 24-80 66-80s70 28 66 80c-12-30-36-38-66-38s-54 8-66 38z',
  },
  // A bald head.
  { behind: '', front: '' },
];

/** Draws the bust of a demo person as a complete SVG of 360 x 360 pixels. */
export function face(seed: string): string {
  const random = seededRandom(seed);
  const { ground, main, second, spark } = random.pick(palettes);
  const { skin, hairs } = random.pick(complexions);
  const hair = random.pick(hairs);
  const cut = random.pick(hairCuts);
  const clothes = random.pick([main, main, second]);
  const trim = clothes === second ? main : random.pick([second, spark]);
  const long = cut.behind !== '';
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="360" height="360" viewBox="16 6 328 328">' +
    shape(ground, 'M0 0h360v360H0z') +
    shape(hair, cut.behind) +
    shape(clothes, 'M26 360c4-72 64-112 154-112s150 40 154 112z') +
    garment(random, trim) +
    shape(skin, 'M150 190h60v62a30 24 0 0 1-60 0z') +
    shape('#0000001f', 'M150 214c18 14 42 14 60 0v6c-10 24-50 24-60 0z') +
    shape(skin, 'M118 144a62 66 0 0 1 124 0v12a62 70 0 0 1-124 0z') +
    (!long && random.chance(0.55) ? beard(hair) : '') +
    shape(hair, cut.front) +
    (random.chance(0.35) ? glasses : '') +
    '</svg>'
  );
}

const shape = (fill: string, path: string) =>
  path === '' ? '' : `<path fill="${fill}" d="${path}"/>`;

function garment(random: SeededRandom, trim: string): string {
  return random.pick([
    shape(trim, 'M138 250a42 36 0 0 0 84 0l-12-2h-60z'),
    shape(trim, 'M142 246l38 54 38-54 16 8-36 72-18-24-18 24-36-72z'),
    `<path fill="none" stroke="${trim}" stroke-width="12" d="M72 298h216M44 330h272"/>`,
    '',
  ]);
}

const beard = (hair: string) =>
  shape(
    hair,
    'M116 148c6 24 14 30 30 30 12-8 56-8 68 0 16 0 24-6 30-30 4 54-18 88-64 88s-68-34-64-88z',
  );

const glasses =
  '<g fill="none" stroke="#1c1714" stroke-width="5"><circle cx="153" cy="156" r="21"/><circle cx="207" cy="156" r="21"/><path d="M174 152q6-5 12 0M132 152l-14-5M228 152l14-5"/></g>';
