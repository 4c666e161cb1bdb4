import path from 'node:path';

/** The folder that this program is installed in. */
export const installation = path.join(import.meta.dirname, '../..');
