import { layouts } from './layouts.ts';
import { motifs } from './motifs.ts';
import { palettes } from './palettes.ts';
import { seededRandom } from './seeded-random.ts';
import { columns, rows, Sheet, tileSize } from './sheet.ts';

/**
 * A tile pattern of 1000 x 400 as a complete SVG. The seed only chooses among fixed shapes and
 * colours: no part of it reaches the markup.
 */
export function azulejo(seed: string): string {
  const [width, height] = [columns * tileSize, rows * tileSize];
  return svg(seed, `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`);
}

/** The middle of the same pattern, in another shape. */
export function azulejoCard(seed: string, width: number, height: number): string {
  const box = `0 0 ${columns * tileSize} ${rows * tileSize}`;
  const cut = 'preserveAspectRatio="xMidYMid slice"';
  return svg(seed, `width="${width}" height="${height}" viewBox="${box}" ${cut}`);
}

/** A square of the four tiles in the middle that most patterns turn around their common corner. */
export function azulejoIcon(seed: string, size: number): string {
  const box = `${(columns / 2 - 1) * tileSize} 0 ${2 * tileSize} ${2 * tileSize}`;
  return svg(seed, `width="${size}" height="${size}" viewBox="${box}"`);
}

function svg(seed: string, attributes: string): string {
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
  const [width, height] = [columns * tileSize, rows * tileSize];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>` +
    `<path fill="${palette.ground}" d="M0 0h${width}v${height}H0z"/>` +
    // The default stroke width of 1 closes the seams between tiles of one colour.
    `<g stroke-linejoin="round">${sheet}</g></svg>`
  );
}
