/** The project's files and folders in a release, besides its packages. */
export const releaseContents = [
  '.containerignore',
  '.dockerignore',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'Containerfile',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  // A document of the release links to this file.
  'bench/results.md',
  'bin',
  'compose.yaml',
  'deploy',
  'dist',
  'docs',
  // The server includes these files in pages.
  'src/client/app/theme/before-paint.js',
  'src/client/ui/styles/tokens.css',
  'src/server',
  'src/shared',
];
