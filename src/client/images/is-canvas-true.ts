const side = 16;
/** Some browsers add noise of a few levels, which is invisible in a photo. */
const noiseLevels = 8;

let isTrue: Promise<boolean> | undefined;

/**
 * Whether the browser returns the pixels painted on a canvas; tested once per page. Browsers that resist
 * fingerprinting return stripes instead.
 */
export function isCanvasTrue(): Promise<boolean> {
  isTrue ??= paintAndRead();
  return isTrue;
}

async function paintAndRead(): Promise<boolean> {
  // Many colours are painted, since some browsers do not falsify a canvas of a single colour.
  const painted = new ImageData(side, side);
  for (const index of painted.data.keys()) {
    painted.data[index] = index % 4 === 3 ? 255 : (index * 37) % 256;
  }
  const canvas = new OffscreenCanvas(side, side);
  const context = canvas.getContext('2d');
  if (!context) return false;
  context.putImageData(painted, 0, 0);
  const bitmap = await createImageBitmap(await canvas.convertToBlob());
  context.clearRect(0, 0, side, side);
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, side, side);
  return painted.data.every((level, index) => Math.abs(level - (data[index] ?? 0)) <= noiseLevels);
}
