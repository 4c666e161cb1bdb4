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
  // The server reads the colours of pages from this file.
  'src/client/ui/styles/tokens.css',
  'src/server',
  'src/shared',
];
