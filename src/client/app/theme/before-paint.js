// Runs in the head before anything is painted; the server inlines it. It must never throw:
// storage does when a browser forbids it.
(() => {
  const root = document.documentElement.dataset;
  // The scripts use these; no browser has had one of them since before 2022, and all else that they use is older.
  const needed = [
    CSS.supports('color', 'light-dark(red, red)'),
    HTMLElement.prototype.showPopover,
    Element.prototype.checkVisibility,
    Array.prototype.toSorted,
    Array.prototype.toSpliced,
    AbortSignal.any,
    Intl.Segmenter,
    Promise.withResolvers,
    URL.canParse,
  ];
  if (!needed.every(Boolean)) {
    root.old = '';
    return;
  }
  const read = (storage, key) => {
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
  if (read('sessionStorage', 'isLogged') === 'true' && read('sessionStorage', 'token')) {
    root.session = 'user';
  } else if (read('localStorage', 'remembered')) {
    root.session = 'resuming';
    // Shows the guest's page when the server takes longer.
    setTimeout(() => {
      if (root.session === 'resuming') delete root.session;
    }, 5000);
  }
})();
