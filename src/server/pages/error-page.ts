import type { Problem } from '../../shared/errors.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { smallPage } from './small-page.ts';

/** Renders the page for an API error without React or the database. */
export function errorPage(problem: Problem): string {
  const mayRetry = problem.status >= 500 || problem.status === 429;
  // An empty `href` links to the page itself.
  const retry = mayRetry ? '<a class="primary" href="">Volver a intentarlo</a>' : '';
  return smallPage({
    title: problem.title,
    html:
      `<p>${escapeHtml(adviceFor(problem))}</p>${requestCode(problem)}` +
      `<nav>${retry}<a${mayRetry ? '' : ' class="primary"'} href="${pageRoutes.home}">Volver al inicio</a></nav>`,
  });
}

/** Opening a page sends only its URL, so an invalid request means an invalid address. */
function adviceFor({ code, detail }: Problem): string {
  return code === 'invalid_request'
    ? 'Esta dirección no se entiende. Revísala o vuelve al inicio.'
    : detail;
}

/** The request id, with which an operator can find the error in the log. */
function requestCode({ code, instance }: Problem): string {
  if (code !== 'internal_error') return '';
  const id = escapeHtml(instance.slice('urn:uuid:'.length));
  return `<p>Si sigue pasando, dale este código a quien administra el foro: <code>${id}</code></p>`;
}
