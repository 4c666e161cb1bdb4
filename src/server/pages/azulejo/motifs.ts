import type { Palette } from './palettes.ts';
import type { SeededRandom } from './seeded-random.ts';
import { type Cell, columns, type Point, rows, type Sheet, shape } from './sheet.ts';

/** Adds the motif's layers to the sheet, bottom first. @returns a function that draws one tile */
type Motif = (sheet: Sheet, palette: Palette, random: SeededRandom) => (cell: Cell) => void;

const centre: Point = [50, 50];

/** A quarter of a disc in the tile's first corner. */
const quarter = (radius: number) => shape([0, 0], [radius, 0], [-radius, radius, radius]);
const quarterArc = (radius: number) => shape([radius, 0], [-radius, radius, radius]);
/** A half disc that hangs from the tile's upper edge. */
const half = (radius: number) => shape([50 - radius, 0], [radius * 2, 0], [-radius * 2, 0, radius]);
const leaf = shape([0, 0], [100, 100, 100], [-100, -100, 100]);
const blade = shape([0, 0], [50, 0], [0, 50]);
const corner = (leg: number) => shape([0, 0], [leg, 0], [-leg, leg]);
const lozenge = (reach: number, [u, v] = centre) =>
  shape([u, v - reach], [reach, reach], [-reach, reach], [-reach, -reach]);
const square = (reach: number) =>
  shape([50 - reach, 50 - reach], [reach * 2, 0], [0, reach * 2], [-reach * 2, 0]);

const turned = (cell: Cell, by: number): Cell => ({ ...cell, turns: cell.turns + by });

/**
 * The tile's first corner and, at the far edges of the grid, its other corners, so that each corner of the grid occurs
 * once.
 */
function gridCorners({ column, row }: Cell): Point[] {
  const acrosses = column === columns - 1 ? [0, 100] : [0];
  const downs = row === rows - 1 ? [0, 100] : [0];
  return acrosses.flatMap((u) => downs.map((v): Point => [u, v]));
}

const fans: Motif = (sheet, { main, second, spark }, random) => {
  const fan = sheet.fill(main);
  const heart = sheet.fill(random.pick([second, spark]));
  const dot = sheet.dots(second, 11);
  const hearts = random.chance(0.4);
  const dots = random.pick([0.6, 1]);
  return (cell) => {
    fan(cell, quarter(100));
    if (hearts) heart(cell, quarter(42));
    if (random.chance(dots)) dot(cell, [82, 82]);
  };
};

const rings: Motif = (sheet, { main, second, spark }, random) => {
  const ring = sheet.band(main, 46);
  const heart = sheet.fill(second);
  const dot = sheet.dots(spark, 10);
  const dots = random.pick([0, 0.4, 1]);
  return (cell) => {
    ring(cell, quarterArc(77));
    heart(cell, quarter(46));
    if (random.chance(dots)) dot(cell, [85, 85]);
  };
};

const rainbows: Motif = (sheet, { main, second, spark }) => {
  const outer = sheet.band(main, 26);
  const inner = sheet.band(second, 20);
  const heart = sheet.fill(spark);
  return (cell) => {
    outer(cell, quarterArc(84));
    inner(cell, quarterArc(50));
    heart(cell, quarter(26));
  };
};

const diamonds: Motif = (sheet, { ground, main, second, spark }, random) => {
  const diamond = sheet.fill(main);
  const hole = sheet.dots(ground, 20);
  const eye = sheet.dots(second, 20);
  const petal = sheet.fill(spark);
  const eyes = random.pick([0.25, 0.4]);
  return (cell) => {
    diamond(cell, lozenge(50));
    if (random.chance(eyes)) eye(cell, centre);
    else hole(cell, centre);
    if (random.chance(0.6)) petal(cell, quarter(22));
    if (random.chance(0.3)) petal(turned(cell, 2), quarter(22));
  };
};

const leaves: Motif = (sheet, { main, second }, random) => {
  const body = sheet.fill(main);
  const dot = sheet.dots(second, 9);
  const dots = random.pick([0.4, 0.7, 1]);
  return (cell) => {
    body(cell, leaf);
    if (random.chance(dots)) dot(cell, [80, 20]);
    if (random.chance(dots / 2)) dot(cell, [20, 80]);
  };
};

const triangles: Motif = (sheet, { main, second, spark }, random) => {
  const large = sheet.fill(main);
  const small = sheet.fill(second);
  const dot = sheet.dots(spark, 10);
  const smalls = random.pick([0.8, 1, 1]);
  const dots = random.pick([0.4, 1]);
  return (cell) => {
    large(cell, corner(100));
    if (random.chance(smalls)) small(turned(cell, 2), corner(46));
    if (random.chance(dots)) dot(cell, [27, 27]);
  };
};

const stars: Motif = (sheet, { ground, main, second, spark }, random) => {
  const star = sheet.fill(main);
  const hole = sheet.fill(ground);
  const heart = sheet.dots(second, 12);
  const knot = sheet.fill(spark);
  const solid = random.pick([0, 0.25]);
  return (cell) => {
    star(cell, square(34));
    star(cell, lozenge(48));
    if (!random.chance(solid)) {
      hole(cell, lozenge(26));
      heart(cell, centre);
    }
    for (const point of gridCorners(cell)) knot({ ...cell, turns: 0 }, lozenge(23, point));
  };
};

const ribbons: Motif = (sheet, { main, second, spark }, random) => {
  const ribbon = sheet.band(main, 32);
  const pearl = sheet.dots(second, 13);
  const bead = sheet.dots(spark, 13);
  return (cell) => {
    ribbon(cell, quarterArc(50));
    ribbon(turned(cell, 2), quarterArc(50));
    if (random.chance(0.2)) bead(cell, [0, 0]);
    else if (random.chance(0.4)) pearl(cell, [0, 0]);
  };
};

const moons: Motif = (sheet, { main, second, spark }, random) => {
  const moon = sheet.fill(main);
  const small = sheet.fill(second);
  const dot = sheet.dots(spark, 9);
  const opposite = random.chance(0.5);
  return (cell) => {
    moon(cell, half(50));
    if (opposite) small(turned(cell, 2), half(32));
    else small(cell, half(26));
    if (!opposite) dot(cell, [50, 76]);
  };
};

const pinwheels: Motif = (sheet, { ground, main, second, spark }, random) => {
  const sail = sheet.fill(main);
  const light = sheet.fill(random.pick([spark, second]));
  const hub = sheet.dots(ground, 12);
  const pin = sheet.dots(second, 6);
  return (cell) => {
    sail(cell, blade);
    sail(turned(cell, 2), blade);
    light(turned(cell, 1), blade);
    light(turned(cell, 3), blade);
    hub(cell, centre);
    pin(cell, centre);
  };
};

const rosettes: Motif = (sheet, { ground, main, second, spark }, random) => {
  const disc = sheet.dots(main, 43);
  const hole = sheet.dots(ground, 29);
  const heart = sheet.dots(second, 15);
  const petal = sheet.fill(random.pick([spark, second]));
  const petals = random.pick([0.5, 1]);
  return (cell) => {
    disc(cell, centre);
    if (random.chance(0.8)) hole(cell, centre);
    heart(cell, centre);
    for (const by of [0, 2]) if (random.chance(petals)) petal(turned(cell, by), quarter(25));
  };
};

export const motifs: readonly [Motif, ...Motif[]] = [
  fans,
  rings,
  rainbows,
  diamonds,
  leaves,
  triangles,
  stars,
  ribbons,
  moons,
  pinwheels,
  rosettes,
];
