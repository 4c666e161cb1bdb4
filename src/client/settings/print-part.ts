/**
 * Prints one of the parts of the page that have `data-printed`. The browser's own command prints all of
 * them.
 */
export function printPart(own: Element | null): void {
  const others = [...document.querySelectorAll('[data-printed]')].filter((part) => part !== own);
  for (const part of others) part.removeAttribute('data-printed');
  // On phones `print` returns before the page is printed.
  const restore = () => {
    for (const part of others) part.setAttribute('data-printed', '');
  };
  addEventListener('afterprint', restore, { once: true });
  print();
}
