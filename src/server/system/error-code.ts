/** The code of an error of the system or of a library, such as `ENOENT`; undefined for other errors. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
