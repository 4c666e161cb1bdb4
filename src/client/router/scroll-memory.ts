/**
 * Where each history entry was scrolled to, kept in `history.state`: pages whose content arrives
 * later than the navigation are beyond what browsers restore by themselves.
 */
const saveDelayMs = 120;
const restoreForMs = 4_000;
/** What shows that a person has taken over from the restoring. */
const personalEvents = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

let isReturn = false;
let stopRestoring = () => {};

/** Call once, before the first render: it must hear of `popstate` before the router does. */
export function startScrollMemory(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const claim = () => {
    history.scrollRestoration = 'manual';
  };
  claim();
  addEventListener('pageshow', claim);
  addEventListener('pagehide', () => {
    saveScroll();
    // A reload shows the server's page: the browser puts that where it was before any script runs.
    history.scrollRestoration = 'auto';
  });
  addEventListener('popstate', () => {
    clearTimeout(timer);
    isReturn = true;
  });
  addEventListener(
    'scroll',
    () => {
      clearTimeout(timer);
      timer = setTimeout(saveScroll, saveDelayMs);
    },
    { passive: true },
  );
}

function savedScroll(): number {
  const y: unknown = history.state?.scrollY;
  return typeof y === 'number' ? y : 0;
}

function saveScroll(): void {
  const y = Math.round(scrollY);
  if (y === savedScroll()) return;
  try {
    history.replaceState({ ...history.state, scrollY: y }, '');
  } catch {
    // Safari refuses when asked too often; the position is then a little older.
  }
}

/** Around every navigation the app makes itself. */
export function leaveEntry(): void {
  saveScroll();
  isReturn = false;
}

/** Once a new page is shown: its top, or on Back and Forward where it was left. */
export function placeScroll(): void {
  stopRestoring();
  const y = isReturn ? savedScroll() : 0;
  scrollTo(0, y);
  if (y > 0) restoreWhenTallEnough(y);
}

/** After a reload, when the browser could not reach the place by itself. */
export function placeFirstScroll(): void {
  const y = savedScroll();
  if (y > 0 && scrollY !== y) restoreWhenTallEnough(y);
}

function restoreWhenTallEnough(y: number): void {
  const observer = new ResizeObserver(() => {
    scrollTo(0, y);
    if (Math.abs(scrollY - y) < 2) stopRestoring();
  });
  const timer = setTimeout(() => stopRestoring(), restoreForMs);
  stopRestoring = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const type of personalEvents) removeEventListener(type, stopRestoring);
    stopRestoring = () => {};
  };
  for (const type of personalEvents) addEventListener(type, stopRestoring, { passive: true });
  observer.observe(document.body);
}
