/** Name of the event dispatched on `window` when a live stream opens: the server can be reached. */
export const liveOpened = 'live-opened';
