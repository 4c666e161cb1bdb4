import type { SeededRandom } from './seeded-random.ts';
import { columns, rows } from './sheet.ts';

/** The rotation of the tile in this column and row, in quarter turns. */
type Layout = (column: number, row: number) => number;
type PlanLayout = (random: SeededRandom) => Layout;

const anyTurns = (random: SeededRandom) => Math.floor(random.next() * 4);

/** Rotates four tiles around their common corner. */
const around: Layout = (column, row) => (row & 1 ? 3 - (column & 1) : column & 1);

const chance: PlanLayout = (random) => () => anyTurns(random);

const wheels: PlanLayout = (random) => {
  const first = random.pick([0, 2]);
  return (column, row) => first + around(column, row);
};

const staggered: PlanLayout = (random) => {
  const first = random.pick([0, 2]);
  return (column, row) => first + ((column + row) & 1);
};

/** The right half mirrors the left one. */
const mirrored: PlanLayout = (random) => {
  const drawn = Array.from({ length: columns * rows }, () => anyTurns(random));
  return (column, row) => {
    const turns = drawn[Math.min(column, columns - 1 - column) * rows + row] ?? 0;
    return column < columns / 2 ? turns : turns ^ 1;
  };
};

/** Blocks of four tiles, each block rotated at random. */
const blocks: PlanLayout = (random) => {
  const drawn = Array.from({ length: (columns / 2) * (rows / 2) }, () => anyTurns(random));
  return (column, row) =>
    (drawn[(column >> 1) * (rows / 2) + (row >> 1)] ?? 0) + around(column, row);
};

const diagonals: PlanLayout = (random) => {
  const step = random.pick([1, 2, 3]);
  return (column, row) => column + row * step;
};

export const layouts: readonly [PlanLayout, ...PlanLayout[]] = [
  chance,
  wheels,
  staggered,
  mirrored,
  blocks,
  diagonals,
];
