/** Path of the service worker's script. Not with the other paths, since pages that everybody loads do not need it. */
export const serviceWorkerPath = '/service-worker.js';

/** The text of a push message, which the server makes (notifications/pass/push-message.ts) and the service worker shows. */
export interface PushMessage {
  title: string;
  body: string;
  /** Path of the place that a press opens. */
  url: string;
  /** A message that is sent again replaces the former one. */
  tag: string;
}

/**
 * The request of the service worker to a page, when a message was pressed, to open the place. The page answers through the
 * port of the request, with `true` if it does, with `false` if another account is signed in there.
 */
export interface OpenRequest {
  opens: string;
}
