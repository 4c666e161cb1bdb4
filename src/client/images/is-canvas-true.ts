const side = 16;
/** Some browsers add noise of a few levels, which nobody sees in a photo. */
const noiseLevels = 8;

let isTrue: Promise<boolean> | undefined;

/**
 * Whether the browser gives back what is painted on a canvas; tried once for each page. Browsers that resist
 * fingerprinting give back stripes instead.
 */
export function isCanvasTrue(): Promise<boolean> {
  isTrue ??= paintAndRead();
  return isTrue;
}

async function paintAndRead(): Promise<boolean> {
  // Paint many colours: some browsers do not falsify a canvas of a single one.
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
