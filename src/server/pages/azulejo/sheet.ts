export const tileSize = 100;
export const columns = 10;
export const rows = 4;

/** The position of a tile in the grid, and its clockwise rotation in quarter turns. */
export interface Cell {
  column: number;
  row: number;
  turns: number;
}

export type Point = readonly [u: number, v: number];

/** A line by (du, dv); with a radius, a clockwise arc to the same point. */
type Step = readonly [du: number, dv: number, radius?: number];

/** An outline within an unrotated tile of 100 x 100. */
export interface Shape {
  start: Point;
  steps: Step[];
}

export const shape = (start: Point, ...steps: Step[]): Shape => ({ start, steps });

/**
 * Collects the shapes of an image in layers, the first at the bottom. All shapes of a layer form a single path, which
 * takes a third of the bytes and joins neighbours of the same colour without a seam.
 */
export class Sheet {
  readonly #layers: { attributes: string; path: string[] }[] = [];

  fill(colour: string): (cell: Cell, shape: Shape) => void {
    const path = this.#layer(`fill="${colour}" stroke="${colour}"`);
    return (cell, shape) => path.push(`${trace(cell, shape)}z`);
  }

  /** Draws open lines of this width. */
  band(colour: string, width: number): (cell: Cell, shape: Shape) => void {
    const path = this.#layer(`fill="none" stroke="${colour}" stroke-width="${width}"`);
    return (cell, shape) => path.push(trace(cell, shape));
  }

  /** Draws dots as zero-length lines with round caps: ten bytes each instead of forty for a circle. */
  dots(colour: string, radius: number): (cell: Cell, centre: Point) => void {
    const path = this.#layer(
      `stroke="${colour}" stroke-width="${radius * 2}" stroke-linecap="round"`,
    );
    return (cell, centre) => path.push(`M${at(cell, centre)}h0`);
  }

  toString(): string {
    return this.#layers
      .filter(({ path }) => path.length > 0)
      .map(({ attributes, path }) => `<path ${attributes} d="${path.join('')}"/>`)
      .join('');
  }

  #layer(attributes: string): string[] {
    const path: string[] = [];
    this.#layers.push({ attributes, path });
    return path;
  }
}

/** Rotates a vector clockwise. */
function rotate([u, v]: Point, quarterTurns: number): Point {
  return quarterTurns % 4 === 0 ? [u, v] : rotate([-v, u], quarterTurns - 1);
}

function at(cell: Cell, [u, v]: Point): string {
  const half = tileSize / 2;
  const [x, y] = rotate([u - half, v - half], cell.turns);
  return pair(x + half + cell.column * tileSize, y + half + cell.row * tileSize);
}

function trace(cell: Cell, { start, steps }: Shape): string {
  return `M${at(cell, start)}${steps.map((step) => move(cell, step)).join('')}`;
}

function move(cell: Cell, [du, dv, radius]: Step): string {
  const [dx, dy] = rotate([du, dv], cell.turns);
  if (radius !== undefined) return `a${radius} ${radius} 0 0 1${gap(dx)}${pair(dx, dy)}`;
  if (dy === 0) return `h${dx}`;
  return dx === 0 ? `v${dy}` : `l${pair(dx, dy)}`;
}

/** A minus sign separates two numbers as well as a space does. */
const gap = (number: number) => (number < 0 ? '' : ' ');
const pair = (x: number, y: number) => `${x}${gap(y)}${y}`;
