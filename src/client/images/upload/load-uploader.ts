export const loadUploader = () => import('./open-upload.ts');

/** Preloads the upload scripts, so that a file chosen while offline can be prepared. */
export function preloadUploader(): void {
  loadUploader().catch(() => {});
  import('tus-js-client').catch(() => {});
}
