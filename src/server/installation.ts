import path from 'node:path';

/** The root folder of this program's installation. */
export const installation = path.join(import.meta.dirname, '../..');
