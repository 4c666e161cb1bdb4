/** Files and folders of the project that a release has, beside its packages. */
export const releaseContents = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  // A document of the release links to this file.
  'bench/results.md',
  'bin',
  'deploy',
  'dist',
  'docs',
  // The server includes this script in pages.
  'src/client/shell/before-paint.js',
  'src/server',
  'src/shared',
];
