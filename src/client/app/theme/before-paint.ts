// Runs in the head before the first paint; the server inlines it, built in the syntax of 2015 (vite.config.ts), because it
// also runs in browsers that are too old for the other scripts. It must never throw, but storage does in browsers that
// forbid it.
(() => {
  const root = document.documentElement.dataset;
  // The newest features of the scripts: Chrome and Safari had light-dark() last (123 and 17.5), Firefox popovers (125).
  if (!CSS.supports('color', 'light-dark(red, red)') || !HTMLElement.prototype.showPopover) {
    root.old = '';
    return;
  }
  const read = (storage: 'localStorage' | 'sessionStorage', key: string) => {
    try {
      return window[storage].getItem(key);
    } catch {
      return null;
    }
  };
  const chosen = read('localStorage', 'theme');
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.theme = isDark ? 'dark' : 'light';
  // Somebody has signed out here, and the server has not confirmed it: this page may still be theirs.
  if (read('localStorage', 'leaving')) {
    root.leaving = '';
    const request = { method: 'DELETE', signal: AbortSignal.timeout(5000) };
    fetch('/api/auth/resume', request)
      .then(({ status }) => {
        // At an address that is not the site's own, nothing is remembered (403).
        if (status !== 204 && status !== 403) throw status;
        localStorage.removeItem('leaving');
        new BroadcastChannel('session').postMessage('');
        location.reload();
      })
      .catch(() => delete root.leaving);
  }
  if (read('sessionStorage', 'isLogged') === 'true' && read('sessionStorage', 'token')) {
    root.session = 'user';
  } else if (read('localStorage', 'remembered')) {
    root.session = 'resuming';
    // Shows the guest's page if the server takes longer than this.
    setTimeout(() => {
      if (root.session === 'resuming') delete root.session;
    }, 5000);
  }
  // Scripts that only people with an account need, which would otherwise begin to load when the page's script runs.
  const parts = (root.session && document.currentScript?.dataset.parts) || '';
  for (const href of parts.split(' ').filter(Boolean)) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = href;
    document.head.append(link);
  }
  // Announcements that the signed-in user has acknowledged.
  const acknowledged = (root.session && read('localStorage', 'acknowledged')) || '';
  const hidden = acknowledged
    .split(' ')
    .filter((id) => /^[\w-]+$/.test(id))
    .map((id) => `[data-announcement="${id}"]`);
  if (hidden.length > 0) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`${hidden.join(',')}{display:none}`);
    document.adoptedStyleSheets = [sheet];
  }
  // The order of channels that a signed-in user chose. The bare address of the home page always shows the default order.
  const order = read('localStorage', 'order');
  if (
    root.session &&
    order &&
    location.pathname + location.search === '/' &&
    /^(activity|new)$/.test(order)
  ) {
    root.leaving = '';
    location.replace(`/?sort=${order}${location.hash}`);
  }
})();
