export function htmlDocument(head: string, body: string): string {
  return (
    '<!doctype html><html lang="es"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    '<meta name="theme-color" content="#faf7f2" media="(prefers-color-scheme: light)">' +
    '<meta name="theme-color" content="#16130f" media="(prefers-color-scheme: dark)">' +
    `<link rel="icon" href="/favicon.svg" type="image/svg+xml">${head}</head><body>${body}</body></html>`
  );
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
