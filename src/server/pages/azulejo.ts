import { motifs } from './azulejo-motifs.ts';
import { palettes } from './azulejo-palettes.ts';
import { columns, rows, Sheet, tileSize } from './azulejo-sheet.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

export { face } from './face.ts';

/** How many quarter turns the tile in that place is given. */
type Layout = (column: number, row: number) => number;

/** Whole laying patterns, not only chance: a wall of tiles is laid by somebody. */
const layouts: readonly [
  (random: SeededRandom) => Layout,
  ...((random: SeededRandom) => Layout)[],
] = [
  (random) => () => Math.floor(random.next() * 4),
  // Four tiles around a point.
  (random) => {
    const first = random.pick([0, 2]);
    return (column, row) => first + (row & 1 ? 3 - (column & 1) : column & 1);
  },
  // Half discs in staggered rows.
  (random) => {
    const first = random.pick([0, 2]);
    return (column, row) => first + ((column + row) & 1);
  },
  // The right half is the left one in a mirror.
  (random) => {
    const drawn = Array.from({ length: columns * rows }, () => Math.floor(random.next() * 4));
    return (column, row) => {
      const turns = drawn[Math.min(column, columns - 1 - column) * rows + row] ?? 0;
      return column < columns / 2 ? turns : turns ^ 1;
    };
  },
  // Blocks of four around a point, each turned its own way.
  (random) => {
    const drawn = Array.from({ length: columns }, () => Math.floor(random.next() * 4));
    return (column, row) => {
      const first = drawn[(column >> 1) * 2 + (row >> 1)] ?? 0;
      return first + (row & 1 ? 3 - (column & 1) : column & 1);
    };
  },
  // Diagonals.
  (random) => {
    const step = random.pick([1, 2, 3]);
    return (column, row) => column + row * step;
  },
];

/**
 * A tile pattern of 1000 x 400 as a complete SVG. The seed only chooses among what is drawn here,
 * no part of it reaches the markup.
 */
export function azulejo(seed: string): string {
  const random = seededRandom(seed);
  const palette = random.pick(palettes);
  const motif = random.pick(motifs);
  const layout = random.pick(layouts)(random);
  const sheet = new Sheet();
  const draw = motif(sheet, palette, random);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      draw({ column, row, turns: layout(column, row) });
    }
  }
  const width = columns * tileSize;
  const height = rows * tileSize;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<path fill="${palette.ground}" d="M0 0h${width}v${height}H0z"/>` +
    // The hair of stroke closes the seams between tiles of one colour.
    `<g stroke-linejoin="round">${sheet}</g></svg>`
  );
}
