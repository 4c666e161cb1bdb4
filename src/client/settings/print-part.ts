/**
 * Prints the part of the page that has `data-printed` and contains the element with this id, without
 * the other such parts. The browser's own command prints all of them.
 */
export function printPart(elementId: string): void {
  const own = document.getElementById(elementId)?.closest('[data-printed]');
  const others = [...document.querySelectorAll('[data-printed]')].filter((part) => part !== own);
  for (const part of others) part.removeAttribute('data-printed');
  // On phones `print` returns before the page is printed.
  const restore = () => {
    for (const part of others) part.setAttribute('data-printed', '');
  };
  addEventListener('afterprint', restore, { once: true });
  print();
}
