/** The project's files and folders in a release, besides its packages. */
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
  // The server includes these files in pages.
  'src/client/app/theme/before-paint.js',
  'src/client/ui/styles/tokens.css',
  'src/server',
  'src/shared',
];
