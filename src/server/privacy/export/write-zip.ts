import { Readable } from 'node:stream';
import yazl from 'yazl';
import type { ExportedImage } from './exported-images.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Writes a ZIP of the files and images, no faster than it is read. An image missing from the store becomes an empty
 * file.
 * @returns a stream that fails when a part fails; `stop` closes it and the stream it reads from
 */
export function writeZip(
  { files, images }: Snapshot,
  readImage: (image: ExportedImage) => Promise<Readable | undefined>,
  madeAtMs: number,
): { stream: Readable; stop: () => void } {
  const zip = new yazl.ZipFile();
  const stream = zip.outputStream as Readable;
  const mtime = new Date(madeAtMs);
  let source: Readable | undefined;
  let isStopped = false;
  const fail = (error: Error) => {
    if (!isStopped) stream.destroy(error);
  };
  zip.on('error', fail);

  const add = (name: string, isCompressed: boolean, read: () => Promise<Readable>) => {
    zip.addReadStreamLazy(name, { mtime, mode: 0o600, compress: isCompressed }, (deliver) => {
      read().then((opened) => {
        source = opened.on('error', fail);
        if (isStopped) opened.destroy();
        else deliver(null, opened);
      }, fail);
    });
  };
  for (const { name, handle } of files) {
    add(name, true, async () => handle.createReadStream({ start: 0 }));
  }
  for (const image of images) {
    add(image.name, false, async () => (await readImage(image)) ?? Readable.from([]));
  }
  zip.end();
  return {
    stream,
    stop: () => {
      isStopped = true;
      source?.destroy();
      stream.destroy();
    },
  };
}
