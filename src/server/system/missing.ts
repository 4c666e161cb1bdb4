/** Every image store throws this for a missing object, so that callers need not know its errors. */
export class ObjectNotFound extends Error {
  constructor(key: string, cause?: unknown) {
    super(`no object ${key}`, { cause });
  }
}

/** Whether an error from the file system, the S3 client or an image store means that a file or object does not exist. */
export function meansMissing(error: unknown): boolean {
  if (error instanceof ObjectNotFound) return true;
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : error.name;
  return code === 'ENOENT' || code === 'NotFound' || code === 'NoSuchKey';
}

/** The result of reading a file, folder or object; undefined when it does not exist. */
export async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (meansMissing(error)) return undefined;
    throw error;
  }
}
