import { describeLost } from '../images/key-count.ts';
import { OperatorError } from '../operator-error.ts';
import type { Manifest } from './manifest.ts';

/** A sound backup lacks files of images in use. */
export class IncompleteBackup extends OperatorError {
  constructor(file: string, { images, lost }: Pick<Manifest, 'images' | 'lost'>) {
    super(
      `The backup in ${file} is incomplete: it has ${images} image files, and ${describeLost(lost)}.`,
    );
  }
}
