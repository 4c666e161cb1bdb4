/** The code of a system or library error, such as `ENOENT`; undefined for other errors. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
