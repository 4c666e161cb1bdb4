import { focusTitle } from '../ui/page-title.tsx';

const control = 'button, a[href], summary, :is(h1, h2, h3, p)[tabindex]';
const heading = ':is(h1, h2, h3)[tabindex]';

/**
 * When the focused element is removed, moves the focus to the element that took its place, or to one beside or
 * around it; otherwise to the page's heading. Stops when `signal` is aborted.
 */
export function keepFocus(signal: AbortSignal): void {
  /** The element that last had the focus, followed by its ancestors. */
  let path: Node[] = [];
  const onFocus = (event: Event) => {
    path = event.composedPath().filter((one) => one instanceof Node);
  };
  addEventListener('focusin', onFocus, { signal });
  const observer = new MutationObserver((records) => {
    if (document.activeElement !== document.body || path[0]?.isConnected !== false) return;
    const index = path.findIndex((one) => one.isConnected);
    const [removed, around] = [path[index - 1], path[index]];
    const record = records.find(({ removedNodes }) =>
      [...removedNodes].some((one) => one === removed),
    );
    path = [];
    const areElements = around instanceof Element && removed instanceof Element;
    const next =
      areElements && around.localName !== 'main'
        ? (findBeside(around, removed, record?.previousSibling) ?? findAround(around))
        : undefined;
    if (next) next.focus({ preventScroll: true });
    else focusTitle({ preventScroll: true });
  });
  observer.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener('abort', () => observer.disconnect());
}

/** @param before the node that preceded the removed element */
function findBeside(around: Element, removed: Element, before: Node | null | undefined) {
  const isAfter = (one: Element) =>
    !before || Boolean(before.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
  const siblings = [...around.children].filter((one) => one.checkVisibility());
  const ordered = [
    ...siblings.filter(isAfter),
    ...siblings.filter((one) => !isAfter(one)).reverse(),
  ];
  for (const one of ordered) {
    const isOfSameKind = one.localName === removed.localName;
    if (one.matches(isOfSameKind ? `${control}, [tabindex]` : control)) return one as HTMLElement;
    const within = one.localName === 'form' ? 'textarea, input' : isOfSameKind && heading;
    const found = within && one.querySelector<HTMLElement>(within);
    if (found) return found;
  }
  return undefined;
}

/** Finds the nearest focusable ancestor within <main>, or the heading of an ancestor. */
function findAround(around: Element) {
  for (let one: Element | null = around; one && one.localName !== 'main'; one = one.parentElement) {
    const found = one.matches('[tabindex]') ? one : one.querySelector(heading);
    if (found instanceof HTMLElement) return found;
  }
  return undefined;
}
