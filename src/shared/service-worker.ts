/** Path of the service worker's script. Not with the other paths, since pages that everybody loads do not need it. */
export const serviceWorkerPath = '/service-worker.js';
