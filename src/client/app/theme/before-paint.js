// Runs in the head before the first paint; the server inlines it. It must never throw, but storage does in browsers
// that forbid it.
(() => {
  const root = document.documentElement.dataset;
  // Features of the scripts that not all browsers had before 2022; every other feature in use is older.
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
    // Shows the guest's page if the server takes longer than this.
    setTimeout(() => {
      if (root.session === 'resuming') delete root.session;
    }, 5000);
  }
})();
