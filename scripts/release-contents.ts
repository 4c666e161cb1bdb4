/** Files and folders of the project that a release has, beside its packages. */
export const releaseContents = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  // A document links to it.
  'bench/results.md',
  'bin',
  'deploy',
  'dist',
  'docs',
  // The server puts it into pages.
  'src/client/shell/before-paint.js',
  'src/server',
  'src/shared',
];
