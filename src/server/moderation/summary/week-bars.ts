const [barWidth, gap, height] = [20, 4, 60];
/** Of a week in which something happened, so that it differs from one in which nothing did. */
const leastHeight = 2;
/** Has a contrast of 3 : 1 with the pages of both themes, as an image does not know which one is on. */
const colour = '#c8623a';

/**
 * Draws one bar for each number, the highest over the whole height. Nothing is written in it: the page lists the numbers.
 * @returns an SVG image, as a `data:` URL
 */
export function drawBars(counts: readonly number[]): string {
  const most = Math.max(...counts, 1);
  const bars = counts.map((count, index) => {
    const tall = count === 0 ? 0 : Math.max(leastHeight, Math.round((count / most) * height));
    return `<rect x="${index * (barWidth + gap)}" y="${height - tall}" width="${barWidth}" height="${tall}"/>`;
  });
  const width = counts.length * (barWidth + gap) - gap;
  const base = `<rect y="${height}" width="${width}" height="1"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + 1}" fill="${colour}">${bars.join('')}${base}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
